import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEnv } from './env.server.ts'
import { checkProductionConfig } from './production-checks.server.ts'

const refusals = (variables: Record<string, string>) =>
  checkProductionConfig(readEnv(variables), variables)

/** A public shop that follows docs/deployment.md has these settings. */
const fine = { PUBLIC_URL: 'https://knots.shop', OWNER_EMAIL: 'ona@knots.shop', DEMO: '0' }
const odd = 'Vq7rT2mWc9'

test('accepts default passwords and example settings if PUBLIC_URL is unset or has a reserved host name [S-269]', () => {
  const home = {
    OWNER_PASSWORD: 'owner-password',
    SMTP_URL: 'smtp://user:password@localhost',
    DATABASE_URL: 'postgres://shop:password@localhost/shop',
    HOST: '0.0.0.0',
  }
  for (const PUBLIC_URL of [
    '',
    'http://localhost:3000',
    'https://knots.test',
    'http://shop.localhost',
  ]) {
    expect(refusals({ ...home, PUBLIC_URL }), PUBLIC_URL).toEqual([])
  }
})

test('the startup checks accept a public shop whose secrets are not copied from the demo or the documentation [S-269]', () => {
  expect(refusals(fine)).toEqual([])
  expect(
    refusals({
      ...fine,
      HOST: '0.0.0.0',
      TRUSTED_PROXIES: '172.16.0.0/12',
      OWNER_PASSWORD: 'a few words of her own',
      DATABASE_URL: `postgres://shop:${odd}@db/shop`,
      SMTP_URL: `smtps://shop:${odd}@mail.knots.shop`,
      STORAGE_URL: `s3://AKIA0:${odd}@pictures?endpoint=https://storage.knots.shop`,
      AUTH_WEBHOOK_URL: 'https://sync.knots.shop/',
      AUTH_WEBHOOK_SECRET: odd.repeat(4),
      METRICS_TOKEN: `${odd}${odd}`,
    }),
  ).toEqual([])
  // These URLs need no password: PostgreSQL recognizes the system user of a local socket, and the
  // keys of the storage can be in the environment.
  expect(
    refusals({ ...fine, DATABASE_URL: 'postgres:///shop', STORAGE_URL: 's3://pictures' }),
  ).toEqual([])
})

test.each<[Record<string, string>, string]>([
  [{ PUBLIC_URL: 'http://knots.shop' }, 'PUBLIC_URL must be an https URL'],
  [{ OWNER_EMAIL: '' }, "OWNER_EMAIL must be the owner's own address"],
  [{ OWNER_EMAIL: 'ona@mail.example' }, "OWNER_EMAIL must be the owner's own address"],
  [{ DEMO: '' }, 'DEMO must be 0'],
  [{ OWNER_PASSWORD: 'owner-password' }, 'OWNER_PASSWORD is well known'],
  [{ OWNER_PASSWORD: 'change-me-please' }, 'OWNER_PASSWORD is well known'],
  [{ DATABASE_URL: 'postgres://shop:password@db/shop' }, 'DATABASE_URL has a password'],
  // PostgreSQL's client library also reads a password from the query string.
  [
    { DATABASE_URL: `postgres://shop:${odd}@db/shop?password=postgres` },
    'DATABASE_URL has a password',
  ],
  [{ SMTP_URL: 'smtp://user:password@mail.knots.shop' }, 'SMTP_URL has a password'],
  [
    { STORAGE_URL: 's3://key:secret@pictures?endpoint=https://storage.knots.shop' },
    'STORAGE_URL has a password',
  ],
  [
    {
      AUTH_WEBHOOK_URL: 'https://sync.knots.shop',
      AUTH_WEBHOOK_SECRET: 'a-secret-of-at-least-32-characters',
    },
    'AUTH_WEBHOOK_SECRET has a value',
  ],
  [
    {
      APP_SECRET: 'change-me-change-me-change-me-change-me',
      OWNER_PASSWORD: 'a few words of her own',
    },
    'APP_SECRET has a value',
  ],
  [{ METRICS_TOKEN: 'change-me-change-me' }, 'METRICS_TOKEN has a value'],
  [
    { GOOGLE_CLIENT_ID: 'knots', GOOGLE_CLIENT_SECRET: 'secret' },
    'GOOGLE_CLIENT_SECRET has a value',
  ],
  [{ HOST: '0.0.0.0' }, 'TRUSTED_PROXIES must name the proxy'],
])(
  'refuses the settings %j of a public shop with one line that does not show the value [S-269]',
  (settings, line) => {
    const lines = refusals({ ...fine, ...settings })
    expect(lines.map((one) => one.slice(0, line.length))).toEqual([line])
    expect(lines[0]).not.toContain('\n')
    for (const [name, secret] of Object.entries(settings)) {
      if (/PASSWORD|SECRET|TOKEN/.test(name)) expect(lines[0]).not.toContain(secret)
    }
  },
)

test('refuses every example secret that appears in the documents [S-269]', () => {
  const texts = [
    'README.md',
    'docs/configuration.md',
    'docs/deployment.md',
    'deploy/knots-and-love.env',
  ]
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const urls = [...texts.matchAll(/\b(?:postgres|smtps?|s3):\/\/[^\s:/@`'"]+:([^\s@`'"]+)@/g)].map(
    ([, secret]) => secret!,
  )
  const named = [
    ...texts.matchAll(
      /\b(?:[A-Z_]*PASSWORD|[A-Z_]*SECRET(?:_KEY)?|METRICS_TOKEN)[=:] ?["']?([^\s"'`|]+)/g,
    ),
  ].map(([, secret]) => secret!)
  const secrets = [...new Set([...urls, ...named])].filter((secret) => !/^[$…]/.test(secret))
  expect(secrets.length).toBeGreaterThan(2)
  for (const secret of secrets) {
    expect(
      refusals({ ...fine, SMTP_URL: `smtp://me:${encodeURIComponent(secret)}@mail.knots.shop` }),
      secret,
    ).toHaveLength(1)
  }
})
