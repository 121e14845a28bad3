import { expect, test } from 'vitest'
import { readEnv } from './env.server.ts'

const said = (variables: Record<string, string>): string => {
  try {
    readEnv(variables)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('each wrong setting is named in one line', () => {
  const wrong: [string, string][] = [
    ['PORT', 'abc'],
    ['GOOGLE_ISSUER', 'http://accounts.test'],
    ['OIDC_ISSUER', 'issuer.test'],
    ['OIDC_NAME', 'x'.repeat(41)],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['DEMO', '2'],
    ['DEMO', 'yes'],
    ['PUBLIC_URL', 'ftp://knots.test'],
    ['PUBLIC_URL', 'knots.test'],
    ['SHOP_TIME_ZONE', 'Mars'],
    ['DATABASE_URL', 'mysql://localhost/shop'],
    ['OWNER_EMAIL', 'x'],
    ['OWNER_PASSWORD', 'short'],
    ['SMTP_URL', 'http://mail.test'],
    ['FILES_URL', 'https://storage.test/pictures'],
    ['FILES_URL', 's3://key:sec/ret@pictures'],
    ['FILES_URL', 's3://key@pictures'],
    ['FILES_URL', 's3://Pictures_1'],
    ['FILES_URL', 's3://127.0.0.1:9000/pictures'],
    ['FILES_URL', 's3://pictures/a//b'],
    ['FILES_URL', 's3://pictures?endpoint=storage.test:9000'],
    ['FILES_URL', 's3://pictures?endpoint=https://storage.test/bucket'],
    ['FILES_URL', 's3://pictures?tls=0'],
    ['FILES_URL', 's3://k%zz:s@pictures'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', 'loopback, 10.0.0'],
    ['AUTH_SYNC_URL', 'sync.test'],
    ['AUTH_SYNC_URL', 'https://me:hunter2@sync.test/'],
    ['AUTH_SYNC_SECRET', 'too-short'],
    ['LOG_LEVEL', 'loud'],
    ['ACCESS_LOG', 'yes'],
    ['METRICS_TOKEN', 'too-short'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ]
  for (const [name, value] of wrong) expect(said({ [name]: value }), `${name}=${value}`).toMatch(new RegExp(`^${name} must [^\\n]+$`))
})

test('several wrong settings are named together', () => {
  expect(said({ PORT: 'abc', DEMO: '2' })).toMatch(/^PORT must .*; DEMO must .*$/)
})

test('a wrong value is not repeated, it may be a password', () => {
  expect(said({ OWNER_PASSWORD: 'hunter2', DATABASE_URL: 'mysql://me:hunter2@db', FILES_URL: 's3://key:hunter2@b' })).not.toContain(
    'hunter2',
  )
})

test('an empty setting counts as unset', () => {
  const names = [
    'PORT',
    'HOST',
    'DATA_DIR',
    'PUBLIC_URL',
    'OWNER_EMAIL',
    'OWNER_PASSWORD',
    'DEMO',
    'DATABASE_URL',
    'FILES_URL',
    'SMTP_URL',
    'TRUSTED_PROXIES',
    'SHOP_TIME_ZONE',
    'AUTH_SYNC_URL',
    'AUTH_SYNC_SECRET',
    'LOG_LEVEL',
    'ACCESS_LOG',
    'METRICS_TOKEN',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_SERVICE_NAME',
  ]
  expect(readEnv(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readEnv({}))
  expect(readEnv({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: 'data',
    providers: [],
    publicUrl: null,
    ownerEmail: 'owner@example.com',
    ownerPassword: null,
    demo: true,
    databaseUrl: null,
    listenUrl: null,
    connections: 10,
    drainSeconds: 0,
    secret: null,
    backup: { folder: 'data/backups', keep: 7, at: '03:30' },
    filesUrl: null,
    smtpUrl: null,
    trustedProxies: 'loopback',
    timeZone: 'America/New_York',
    readyPagesMb: 32,
    longestWait: 2000,
    cdn: null,
    authSync: null,
    watch: { logLevel: 'info', accessLog: false, metricsToken: null, traces: null },
  })
})

test('S-016 where sign-ins are told needs its secret, and the other way round', () => {
  const [url, secret] = ['https://sync.test/session', 'a-secret-of-at-least-32-characters']
  expect(readEnv({ AUTH_SYNC_URL: url, AUTH_SYNC_SECRET: secret }).authSync).toEqual({ url, secret })
  expect(said({ AUTH_SYNC_URL: url })).toMatch(/^AUTH_SYNC_SECRET must be set along with AUTH_SYNC/)
  expect(said({ AUTH_SYNC_SECRET: secret })).toMatch(/^AUTH_SYNC_URL must be set along with AUTH_SYNC/)
})

test('the secret of the shop may be as long as somebody likes, and spaces around it do not count', () => {
  const secretOf = (secret: string) => readEnv({ SHOP_SECRET: secret, OWNER_PASSWORD: 'a few words of her own' }).secret
  expect(secretOf(` ${'s'.repeat(3000)} `)).toBe('s'.repeat(3000))
  expect(() => secretOf(`${'s'.repeat(31)} `)).toThrow('SHOP_SECRET must have at least 32 characters')
})

test('PUBLIC_URL is kept as an origin, with or without a slash', () => {
  expect(readEnv({ PUBLIC_URL: 'https://knots.test/' }).publicUrl).toBe('https://knots.test')
  expect(readEnv({ PUBLIC_URL: 'https://KNOTS.test:443' }).publicUrl).toBe('https://knots.test')
})

const google = { GOOGLE_CLIENT_ID: 'knots', GOOGLE_CLIENT_SECRET: 'secret' }
const oidc = { OIDC_ISSUER: 'https://id.test/realms/guild', OIDC_CLIENT_ID: 'knots', OIDC_CLIENT_SECRET: 'secret', OIDC_NAME: 'Guild' }

test('LOGIN-08 a provider is set whole or not at all, and the shop must know where people come back to', () => {
  expect(said({ GOOGLE_CLIENT_ID: 'knots' })).toBe('GOOGLE_CLIENT_SECRET must be set along with GOOGLE_CLIENT_ID')
  expect(said({ OIDC_NAME: 'Guild', OIDC_ISSUER: 'https://id.test' })).toMatch(
    /^OIDC_CLIENT_ID must be set along with.*; OIDC_CLIENT_SECRET must/,
  )
  expect(said({ ...google, HOST: '0.0.0.0' })).toMatch(/^PUBLIC_URL must be set for GOOGLE_CLIENT_ID/)
  expect(said({ ...oidc, PORT: '0' })).toMatch(/^PUBLIC_URL must be set for OIDC_CLIENT_ID/)

  const { providers } = readEnv({ ...google, ...oidc, HOST: '0.0.0.0', PUBLIC_URL: 'https://knots.test' })
  expect(providers.map(({ id, name, issuer }) => [id, name, issuer])).toEqual([
    ['google', 'Google', 'https://accounts.google.com'],
    ['oidc', 'Guild', 'https://id.test/realms/guild'],
  ])
  expect(readEnv({ ...google, GOOGLE_ISSUER: 'http://localhost:4000' }).providers[0]?.issuer).toBe('http://localhost:4000')
})
