import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEnv } from './env.server.ts'
import { isProduction, productionRefusals } from './production.server.ts'

const refusals = (variables: Record<string, string>) => productionRefusals(readEnv(variables), variables)

/** A shop as docs/operating.md has it. */
const fine = { PUBLIC_URL: 'https://knots.shop', OWNER_EMAIL: 'ona@knots.shop', DEMO: '0' }
const odd = 'Vq7rT2mWc9'

test('S-269 on a fresh machine, at home and in tests, everything may be as it comes', () => {
  const home = {
    OWNER_PASSWORD: 'owner-password',
    SMTP_URL: 'smtp://user:password@localhost',
    DATABASE_URL: 'postgres://shop:password@localhost/shop',
    HOST: '0.0.0.0',
  }
  for (const PUBLIC_URL of [
    '',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://192.168.1.20:3000',
    'http://[::1]:3000',
    'https://knots.test',
    'http://shop.local',
    'http://shop.localhost',
  ])
    expect(refusals({ ...home, PUBLIC_URL }), PUBLIC_URL).toEqual([])
})

test('S-269 a public shop with secrets of its own starts', () => {
  expect(refusals(fine)).toEqual([])
  expect(
    refusals({
      ...fine,
      HOST: '0.0.0.0',
      TRUSTED_PROXIES: '172.16.0.0/12',
      OWNER_PASSWORD: 'a few words of her own',
      DATABASE_URL: `postgres://shop:${odd}@db/shop`,
      SMTP_URL: `smtps://shop:${odd}@mail.knots.shop`,
      FILES_URL: `s3://AKIA0:${odd}@pictures?endpoint=https://storage.knots.shop`,
      AUTH_SYNC_URL: 'https://sync.knots.shop/',
      AUTH_SYNC_SECRET: odd.repeat(4),
      METRICS_TOKEN: `${odd}${odd}`,
    }),
  ).toEqual([])
  // Without passwords: a socket of the same user, an instance's role.
  expect(refusals({ ...fine, DATABASE_URL: 'postgres:///shop', FILES_URL: 's3://pictures' })).toEqual([])
})

test('S-269 what everybody knows is refused in public, each with a line that names the setting and never the value', () => {
  const wrong: [Record<string, string>, string][] = [
    [{ PUBLIC_URL: 'http://knots.shop' }, 'PUBLIC_URL must be a https address'],
    [{ PUBLIC_URL: 'http://203.0.113.7:3000' }, 'PUBLIC_URL must be a https address'],
    [{ OWNER_EMAIL: '' }, "OWNER_EMAIL must be the owner's own address"],
    [{ OWNER_EMAIL: 'ona@mail.example' }, "OWNER_EMAIL must be the owner's own address"],
    [{ DEMO: '' }, 'DEMO must be 0'],
    [{ DEMO: '1' }, 'DEMO must be 0'],
    [{ OWNER_PASSWORD: 'owner-password' }, 'OWNER_PASSWORD is one'],
    [{ OWNER_PASSWORD: 'Knots-And-Love' }, 'OWNER_PASSWORD is one'],
    [{ OWNER_PASSWORD: 'knotsandlove1' }, 'OWNER_PASSWORD is one'],
    [{ OWNER_PASSWORD: 'change-me-please' }, 'OWNER_PASSWORD is one'],
    [{ DATABASE_URL: 'postgres://shop:password@db/shop' }, 'DATABASE_URL has a password'],
    [{ DATABASE_URL: 'postgres://shop:change-me@db/shop' }, 'DATABASE_URL has a password'],
    // As PostgreSQL's library takes it too.
    [{ DATABASE_URL: `postgres://shop:${odd}@db/shop?password=postgres` }, 'DATABASE_URL has a password'],
    [{ DATABASE_URL: 'postgres:///shop?host=db&user=shop&password=shop' }, 'DATABASE_URL has a password'],
    [{ SMTP_URL: 'smtp://user:password@mail.knots.shop' }, 'SMTP_URL has a password'],
    [{ FILES_URL: 's3://key:secret@pictures?endpoint=https://storage.knots.shop' }, 'FILES_URL has a password'],
    [{ FILES_URL: 's3://minioadmin:minioadmin@pictures?endpoint=http://storage:9000' }, 'FILES_URL has a password'],
    [{ AUTH_SYNC_URL: 'https://sync.knots.shop', AUTH_SYNC_SECRET: 'a-secret-of-at-least-32-characters' }, 'AUTH_SYNC_SECRET has a value'],
    [{ SHOP_SECRET: 'change-me-change-me-change-me-change-me', OWNER_PASSWORD: 'a few words of her own' }, 'SHOP_SECRET has a value'],
    [{ METRICS_TOKEN: 'change-me-change-me' }, 'METRICS_TOKEN has a value'],
    [{ GOOGLE_CLIENT_ID: 'knots', GOOGLE_CLIENT_SECRET: 'secret' }, 'GOOGLE_CLIENT_SECRET has a value'],
    [{ HOST: '0.0.0.0' }, 'TRUSTED_PROXIES must name the proxy'],
  ]
  for (const [settings, line] of wrong) {
    const lines = refusals({ ...fine, ...settings })
    expect(
      lines.map((one) => one.slice(0, line.length)),
      JSON.stringify(settings),
    ).toEqual([line])
    expect(lines[0]).not.toContain('\n')
    for (const [name, secret] of Object.entries(settings)) if (/PASSWORD|SECRET|TOKEN/.test(name)) expect(lines[0]).not.toContain(secret)
  }
  expect(refusals({ PUBLIC_URL: 'http://knots.shop', HOST: '0.0.0.0' })).toHaveLength(4)
})

test('S-269 every secret that stands in README, the documents or the settings file is one that refuses to start', () => {
  const texts = ['README.md', 'docs/operating.md', 'deploy/knots-and-love.env'].map((path) => readFileSync(path, 'utf8')).join('\n')
  const urls = [...texts.matchAll(/\b(?:postgres|smtps?|s3):\/\/[^\s:/@`'"]+:([^\s@`'"]+)@/g)].map(([, secret]) => secret!)
  const named = [...texts.matchAll(/\b(?:[A-Z_]*PASSWORD|[A-Z_]*SECRET(?:_KEY)?|METRICS_TOKEN)[=:] ?["']?([^\s"'`|]+)/g)].map(
    ([, secret]) => secret!,
  )
  const secrets = [...new Set([...urls, ...named])].filter((secret) => !/^[$…]/.test(secret))
  expect(secrets.length).toBeGreaterThan(2)
  for (const secret of secrets)
    expect(refusals({ ...fine, SMTP_URL: `smtp://me:${encodeURIComponent(secret)}@mail.knots.shop` }), secret).toHaveLength(1)
})

test('a public shop is one whose address is of the internet', () => {
  const of = (publicUrl: string | null) => isProduction({ publicUrl })
  expect(['https://knots.shop', 'http://8.8.8.8', 'https://shop.example'].map(of)).toEqual([true, true, true])
  expect([null, 'http://localhost', 'http://10.0.0.3'].map(of)).toEqual([false, false, false])
})
