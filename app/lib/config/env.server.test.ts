import { expect, test } from 'vitest'
import { readEnv } from './env.server.ts'
import { parseStorageUrl } from './storage-url.ts'

const said = (variables: Record<string, string>): string => {
  try {
    readEnv(variables)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const wrongSettings = [
  ['PORT', 'abc'],
  ['GOOGLE_ISSUER', 'http://accounts.test'],
  ['OIDC_ISSUER', 'issuer.test'],
  ['OIDC_NAME', 'x'.repeat(41)],
  ['PORT', '65536'],
  ['DEMO', '2'],
  ['PUBLIC_URL', 'ftp://knots.test'],
  ['SHOP_TIME_ZONE', 'Mars'],
  ['DATABASE_URL', 'mysql://localhost/shop'],
  ['OWNER_EMAIL', 'x'],
  ['OWNER_PASSWORD', 'short'],
  ['SMTP_URL', 'http://mail.test'],
  ['SMTP_URL', 'smtp://me:50%off@mail.test'],
  ['DATABASE_URL', 'postgres://me:50%off@db.test/shop'],
  ['STORAGE_URL', 'https://storage.test/pictures'],
  ['STORAGE_URL', 's3://key:sec/ret@pictures'],
  ['STORAGE_URL', 's3://key@pictures'],
  ['STORAGE_URL', 's3://Pictures_1'],
  ['STORAGE_URL', 's3://127.0.0.1:9000/pictures'],
  ['STORAGE_URL', 's3://pictures/a//b'],
  ['STORAGE_URL', 's3://pictures?endpoint=storage.test:9000'],
  ['STORAGE_URL', 's3://pictures?endpoint=https://storage.test/bucket'],
  ['STORAGE_URL', 's3://k%zz:s@pictures'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'loopback, 10.0.0'],
  ['AUTH_WEBHOOK_URL', 'sync.test'],
  ['AUTH_WEBHOOK_URL', 'https://me:hunter2@sync.test/'],
  ['AUTH_WEBHOOK_SECRET', 'too-short'],
  ['LOG_LEVEL', 'loud'],
  ['ACCESS_LOG', 'yes'],
  ['METRICS_TOKEN', 'too-short'],
] as const

test.each(wrongSettings)(
  'reports the wrong environment variable %s=%s in one line',
  (name, value) => {
    expect(said({ [name]: value })).toMatch(new RegExp(`^${name} must [^\\n]+$`))
  },
)

test('reports all wrong environment variables together without their values, which may be passwords', () => {
  expect(said({ PORT: 'abc', DEMO: '2' })).toMatch(/^PORT must .*; DEMO must .*$/)
  const secrets = {
    OWNER_PASSWORD: 'hunter2',
    DATABASE_URL: 'mysql://me:hunter2@db',
    STORAGE_URL: 's3://key:hunter2@b',
  }
  expect(said(secrets)).toMatch(/^OWNER_PASSWORD must .*; (?!.*hunter2)/)
})

test('uses the default of an environment variable that is empty or missing', () => {
  expect(readEnv(Object.fromEntries(wrongSettings.map(([name]) => [name, ''])))).toEqual(
    readEnv({}),
  )
  expect(readEnv({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: 'data',
    publicUrl: null,
    demo: true,
    databaseUrl: null,
  })
  expect(readEnv({})).toMatchObject({
    ownerEmail: 'owner@example.com',
    ownerPassword: null,
    secret: null,
    trustedProxies: 'loopback',
  })
  expect(readEnv({}).backup).toEqual({ folder: 'data/backups', keep: 7, at: '03:30' })
})

test('refuses a URL of the sign-in webhook without a secret, and a secret without a URL [S-016]', () => {
  const [url, secret] = ['https://sync.test/session', 'a-secret-of-at-least-32-characters']
  expect(readEnv({ AUTH_WEBHOOK_URL: url, AUTH_WEBHOOK_SECRET: secret }).authSync).toEqual({
    url,
    secret,
  })
  expect(said({ AUTH_WEBHOOK_URL: url })).toMatch(
    /^AUTH_WEBHOOK_SECRET must be set along with AUTH_WEBHOOK/,
  )
  expect(said({ AUTH_WEBHOOK_SECRET: secret })).toMatch(
    /^AUTH_WEBHOOK_URL must be set along with AUTH_WEBHOOK/,
  )
})

test('accepts a long APP_SECRET, and refuses one with fewer than 32 characters', () => {
  const secretOf = (secret: string) =>
    readEnv({ APP_SECRET: secret, OWNER_PASSWORD: 'a few words of her own' }).secret
  expect(secretOf(` ${'s'.repeat(3000)} `)).toBe('s'.repeat(3000))
  expect(() => secretOf(`${'s'.repeat(31)} `)).toThrow(
    'APP_SECRET must have at least 32 characters',
  )
})

test('returns the origin of PUBLIC_URL without a trailing slash', () => {
  expect(readEnv({ PUBLIC_URL: 'https://knots.test/' }).publicUrl).toBe('https://knots.test')
  expect(readEnv({ PUBLIC_URL: 'https://KNOTS.test:443' }).publicUrl).toBe('https://knots.test')
})

test('reads host, bucket, folder and a key with special characters from STORAGE_URL', () => {
  expect(
    parseStorageUrl(
      's3://shop-key:se%2Fcr%2Bet%40@pictures/knots/love/?endpoint=http://127.0.0.1:9000&region=garage',
    ),
  ).toEqual({
    bucket: 'pictures',
    folder: 'knots/love/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'garage',
    credentials: { accessKeyId: 'shop-key', secretAccessKey: 'se/cr+et@' },
  })
})

const google = { GOOGLE_CLIENT_ID: 'knots', GOOGLE_CLIENT_SECRET: 'secret' }
const oidc = {
  OIDC_ISSUER: 'https://id.test/realms/guild',
  OIDC_CLIENT_ID: 'knots',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_NAME: 'Guild',
}

test('requires PUBLIC_URL and all settings of a login provider if one of its settings is set [LOGIN-08]', () => {
  expect(said({ GOOGLE_CLIENT_ID: 'knots' })).toBe(
    'GOOGLE_CLIENT_SECRET must be set along with GOOGLE_CLIENT_ID',
  )
  expect(said({ OIDC_NAME: 'Guild', OIDC_ISSUER: 'https://id.test' })).toMatch(
    /^OIDC_CLIENT_ID must be set along with.*; OIDC_CLIENT_SECRET must/,
  )
  expect(said({ ...google, HOST: '0.0.0.0' })).toMatch(
    /^PUBLIC_URL must be set for GOOGLE_CLIENT_ID/,
  )
  expect(said({ ...oidc, PORT: '0' })).toMatch(/^PUBLIC_URL must be set for OIDC_CLIENT_ID/)

  const { providers } = readEnv({
    ...google,
    ...oidc,
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://knots.test',
  })
  expect(providers.map(({ id, name, issuer }) => [id, name, issuer])).toEqual([
    ['google', 'Google', 'https://accounts.google.com'],
    ['oidc', 'Guild', 'https://id.test/realms/guild'],
  ])
  expect(readEnv({ ...google, GOOGLE_ISSUER: 'http://localhost:4000' }).providers[0]?.issuer).toBe(
    'http://localhost:4000',
  )
})

test('accepts a STORAGE_URL for Amazon S3 that contains no keys', () => {
  expect(parseStorageUrl('s3://knots.and.love')).toEqual({
    bucket: 'knots.and.love',
    folder: '',
    endpoint: null,
    region: null,
    credentials: null,
  })
  expect(parseStorageUrl('s3://knots/?region=eu-central-1')).toMatchObject({
    folder: '',
    region: 'eu-central-1',
  })
})
