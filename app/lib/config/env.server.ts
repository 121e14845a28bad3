import { join } from 'node:path'
import { z } from 'zod'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#app/lib/auth/account-limits.ts'
import { parseTrustedProxies } from '#app/lib/http/client-address.server.ts'
import { logLevels } from '#app/lib/telemetry/log.server.ts'
import { isCommonPassword } from '#app/lib/auth/password-policy.server.ts'
import type { ProviderSettings } from '#app/lib/auth/oauth-providers.server.ts'
import { decodePercent } from '#app/lib/text/decode-percent.ts'
import { parseStorageUrl } from './storage-url.ts'

const isTimeZone = (zone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }))
  } catch {
    return false
  }
}
const hasProtocol = (protocols: string[]) => (text: string) =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol)
const isHttp = hasProtocol(['http:', 'https:'])
/** The shop trusts what a login provider reports, so the provider's URL must use https, except on this machine. */
const isIssuer = (issuer: string) =>
  hasProtocol(['https:'])(issuer) ||
  (isHttp(issuer) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname))

const setting = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)
const wholeNumber = (min: number, max: number, preset: number) =>
  setting(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(min, `must be at least ${min}`)
      .max(max, `must be at most ${max}`)
      .default(preset),
  )
const text = (max: number) => z.string().trim().max(max, `must have at most ${max} characters`)
const longText = (min: number) => z.string().min(min, `must have at least ${min} characters`)
const matching = (isFit: RegExp | ((text: string) => boolean), message: string) =>
  z
    .string()
    .refine((value) => (isFit instanceof RegExp ? isFit.test(value) : isFit(value)), message)
/** Checks a setting with `read`, which returns an error text, or a value of another type if the setting is valid. */
const parsedBy = (read: (text: string) => unknown) =>
  z.string().superRefine((value, context) => {
    const found = read(value)
    if (typeof found === 'string') context.addIssue({ code: 'custom', message: found })
  })
const flag = z.enum(['0', '1'], 'must be 0 or 1')
const hasValidEscapes = (text: string) => {
  const url = URL.parse(text)
  return url === null || decodePercent(url.username + url.password) !== null
}
const serverAddress = (protocols: string[], message: string) =>
  matching(hasProtocol(protocols), message).refine(
    hasValidEscapes,
    'must write each % in the user name and password as %25',
  )
const postgresAddress = serverAddress(['postgres:', 'postgresql:'], 'must be a postgres:// URL')
const issuer = matching(isIssuer, 'must be an https URL')

const Environment = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: setting(z.string().default('127.0.0.1')),
  DATA_DIR: setting(z.string().default('data')),
  PUBLIC_URL: setting(matching(isHttp, 'must be an http or https URL').optional()),
  OWNER_EMAIL: setting(z.email('must be an email address').default('owner@example.com')),
  OWNER_PASSWORD: setting(
    longText(MIN_PASSWORD_LENGTH)
      .max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`)
      .optional(),
  ),
  DEMO: setting(flag.default('1')),
  DATABASE_URL: setting(postgresAddress.optional()),
  DATABASE_LISTEN_URL: setting(postgresAddress.optional()),
  DATABASE_POOL_SIZE: wholeNumber(2, 500, 10),
  DRAIN_SECONDS: wholeNumber(0, 300, 0),
  APP_SECRET: setting(z.string().trim().min(32, 'must have at least 32 characters').optional()),
  STORAGE_URL: setting(parsedBy(parseStorageUrl).optional()),
  SMTP_URL: setting(
    serverAddress(['smtp:', 'smtps:'], 'must be an smtp:// or smtps:// URL').optional(),
  ),
  GOOGLE_CLIENT_ID: setting(text(2000).optional()),
  GOOGLE_CLIENT_SECRET: setting(text(2000).optional()),
  GOOGLE_ISSUER: setting(issuer.default('https://accounts.google.com')),
  OIDC_ISSUER: setting(issuer.optional()),
  OIDC_CLIENT_ID: setting(text(2000).optional()),
  OIDC_CLIENT_SECRET: setting(text(2000).optional()),
  OIDC_NAME: setting(text(40).optional()),
  TRUSTED_PROXIES: setting(parsedBy(parseTrustedProxies).default('loopback')),
  SHOP_TIME_ZONE: setting(
    matching(isTimeZone, 'must be the name of a time zone, such as America/Chicago').default(
      'America/New_York',
    ),
  ),
  PAGE_CACHE_MB: wholeNumber(1, 4096, 32),
  CDN_PURGE: setting(
    matching(
      /^(cloudflare|fastly):[A-Za-z0-9]{1,64}$/,
      'must be cloudflare:{zone} or fastly:{service}',
    ).optional(),
  ),
  CDN_PURGE_TOKEN: setting(
    matching(/^[\x21-\x7e]{8,500}$/, 'must be the token that the CDN gave').optional(),
  ),
  OVERLOAD_MAX_WAIT_MS: wholeNumber(100, 60_000, 2000),
  BACKUP_DIR: setting(z.string().optional()),
  BACKUP_KEEP: wholeNumber(1, 3660, 7),
  BACKUP_AT: setting(
    matching(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time such as 03:30, or off').default(
      '03:30',
    ),
  ),
  AUTH_WEBHOOK_URL: setting(
    matching(
      (url) => isHttp(url) && !new URL(url).username,
      'must be an http or https URL without a password',
    ).optional(),
  ),
  AUTH_WEBHOOK_SECRET: setting(longText(32).optional()),
  LOG_LEVEL: setting(z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info')),
  ACCESS_LOG: setting(flag.default('0')),
  METRICS_TOKEN: setting(longText(16).regex(/^\S+$/, 'must have no spaces').optional()),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(matching(isHttp, 'must be an http or https URL').optional()),
  OTEL_SERVICE_NAME: setting(text(100).default('knots-and-love')),
})

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const

const EnvironmentWithRules = Environment.superRefine((env, context) => {
  for (const [one, other] of [
    ['AUTH_WEBHOOK_URL', 'AUTH_WEBHOOK_SECRET'],
    ['AUTH_WEBHOOK_SECRET', 'AUTH_WEBHOOK_URL'],
    ['CDN_PURGE', 'CDN_PURGE_TOKEN'],
    ['CDN_PURGE_TOKEN', 'CDN_PURGE'],
    ['CDN_PURGE', 'PUBLIC_URL'],
    ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
    ['GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'],
    ...OIDC.flatMap((one) =>
      OIDC.filter((other) => other !== one).map((other) => [one, other] as const),
    ),
    ['DATABASE_LISTEN_URL', 'DATABASE_URL'],
    // APP_SECRET requires OWNER_PASSWORD: a shop with APP_SECRET may have only a temporary folder, which would lose a generated password.
    ['APP_SECRET', 'OWNER_PASSWORD'],
  ] as const)
    if (env[one] && !env[other])
      context.addIssue({ code: 'custom', path: [other], message: `must be set along with ${one}` })
})

export type Env = ReturnType<typeof readEnv>

export function readEnv(variables: Record<string, string | undefined>) {
  const { data: env, error } = EnvironmentWithRules.safeParse(variables)
  const lines = error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  if (!env) throw Object.assign(new Error(lines?.join('; ')), { lines })
  const own = [env.OWNER_EMAIL, env.OWNER_EMAIL.split('@')[0]].map((word) => word?.toLowerCase())
  if (
    env.OWNER_PASSWORD !== undefined &&
    (isCommonPassword(env.OWNER_PASSWORD) || own.includes(env.OWNER_PASSWORD.toLowerCase()))
  )
    throw new Error('OWNER_PASSWORD is a common password; choose another')
  const read = {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    /** the shop's origin without a trailing slash, or null if the shop uses the origin of each HTTP request */
    publicUrl: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : null,
    ownerEmail: env.OWNER_EMAIL.toLowerCase(),
    ownerPassword: env.OWNER_PASSWORD ?? null,
    demo: env.DEMO === '1',
    databaseUrl: env.DATABASE_URL ?? null,
    /** the URL that leads to the PostgreSQL database without a connection pooler, or null if the shop uses SQLite */
    listenUrl: env.DATABASE_LISTEN_URL ?? env.DATABASE_URL ?? null,
    connections: env.DATABASE_POOL_SIZE,
    drainSeconds: env.DRAIN_SECONDS,
    /** the text from which all secrets are derived, or null if the data folder contains the secrets */
    secret: env.APP_SECRET ?? null,
    filesUrl: env.STORAGE_URL ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    timeZone: env.SHOP_TIME_ZONE,
    readyPagesMb: env.PAGE_CACHE_MB,
    longestWait: env.OVERLOAD_MAX_WAIT_MS,
    cdn: env.CDN_PURGE && env.CDN_PURGE_TOKEN ? parseCdn(env.CDN_PURGE, env.CDN_PURGE_TOKEN) : null,
    backup: {
      folder: env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups'),
      keep: env.BACKUP_KEEP,
      at: env.BACKUP_AT === 'off' ? null : env.BACKUP_AT,
    },
    authSync:
      env.AUTH_WEBHOOK_URL && env.AUTH_WEBHOOK_SECRET
        ? { url: env.AUTH_WEBHOOK_URL, secret: env.AUTH_WEBHOOK_SECRET }
        : null,
    providers: readProviders(env),
    watch: {
      logLevel: env.LOG_LEVEL,
      accessLog: env.ACCESS_LOG === '1',
      /** the token that a program needs for /metrics, or null if only programs on this machine may read /metrics */
      metricsToken: env.METRICS_TOKEN ?? null,
      traces: env.OTEL_EXPORTER_OTLP_ENDPOINT
        ? { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, serviceName: env.OTEL_SERVICE_NAME }
        : null,
    },
  }
  const [first] = read.providers
  if (first && emailLinkOrigin(read) === null)
    throw new Error(
      `PUBLIC_URL must be set for ${first.id.toUpperCase()}_CLIENT_ID: providers send people back to it`,
    )
  return read
}

export type CdnSettings = {
  kind: 'cloudflare' | 'fastly'
  zone: string
  token: string
  api: string
}

function parseCdn(text: string, token: string): CdnSettings {
  const [kind, zone = ''] = text.split(':')
  return kind === 'fastly'
    ? { kind, zone, token, api: 'https://api.fastly.com' }
    : { kind: 'cloudflare', zone, token, api: 'https://api.cloudflare.com/client/v4' }
}

function readProviders(env: z.infer<typeof Environment>): ProviderSettings[] {
  const {
    GOOGLE_ISSUER,
    GOOGLE_CLIENT_ID,
    GOOGLE_CLIENT_SECRET,
    OIDC_ISSUER,
    OIDC_CLIENT_ID,
    OIDC_CLIENT_SECRET,
    OIDC_NAME,
  } = env
  const google = {
    id: 'google',
    name: 'Google',
    issuer: GOOGLE_ISSUER,
    clientId: GOOGLE_CLIENT_ID!,
    clientSecret: GOOGLE_CLIENT_SECRET!,
  }
  const other = {
    id: 'oidc',
    name: OIDC_NAME!,
    issuer: OIDC_ISSUER!,
    clientId: OIDC_CLIENT_ID!,
    clientSecret: OIDC_CLIENT_SECRET!,
  }
  return [google, other].filter(({ clientId }) => clientId)
}

/** Returns the origin of links in emails. The Host header of an HTTP request is never used, because its sender could put any host into an email. [S-182] */
export function emailLinkOrigin({
  publicUrl,
  host,
  port,
}: {
  publicUrl: string | null
  host: string
  port: number
}): string | null {
  if (publicUrl) return publicUrl
  return ['127.0.0.1', 'localhost', '::1'].includes(host) && port !== 0
    ? `http://localhost:${port}`
    : null
}
