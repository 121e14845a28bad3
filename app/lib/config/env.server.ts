import { canonicalEmail, isEmailAddress } from '#lib/text/email-address.server.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../auth/account-limits.ts'
import { parseTrustedProxies } from '../http/client-address.server.ts'
import { logLevels } from '../telemetry/log.server.ts'
import { isCommonPassword } from '../auth/password-policy.server.ts'
import type { ProviderSettings } from '../auth/oauth-providers.server.ts'
import { decodePercent } from '../text/decode-percent.ts'
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
const isIssuer = (issuer: string) =>
  hasProtocol(['https:'])(issuer) ||
  (isHttp(issuer) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname))

const wholeNumber = (min: number, max: number, preset: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(preset)
const text = (max: number) => z.string().trim().max(max, `must have at most ${max} characters`)
const longText = (min: number) => z.string().min(min, `must have at least ${min} characters`)
const matching = (isFit: RegExp | ((text: string) => boolean), message: string) =>
  z
    .string()
    .refine((value) => (isFit instanceof RegExp ? isFit.test(value) : isFit(value)), message)
const parsedBy = (parse: (text: string) => unknown) =>
  z.string().superRefine((value, context) => {
    const message = parse(value)
    if (typeof message === 'string') context.addIssue({ code: 'custom', message })
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

export const Environment = z.object({
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('data'),
  PUBLIC_URL: matching(isHttp, 'must be an http or https URL').optional(),
  OWNER_EMAIL: matching(isEmailAddress, 'must be an email address').default('owner@example.com'),
  OWNER_PASSWORD: longText(MIN_PASSWORD_LENGTH)
    .max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`)
    .optional(),
  DEMO: flag.default('1'),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_LISTEN_URL: postgresAddress.optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 500, 10),
  DRAIN_SECONDS: wholeNumber(0, 300, 0),
  APP_SECRET: z.string().trim().min(32, 'must have at least 32 characters').optional(),
  STORAGE_URL: parsedBy(parseStorageUrl).optional(),
  SMTP_URL: serverAddress(['smtp:', 'smtps:'], 'must be an smtp:// or smtps:// URL').optional(),
  GOOGLE_CLIENT_ID: text(2000).optional(),
  GOOGLE_CLIENT_SECRET: text(2000).optional(),
  GOOGLE_ISSUER: issuer.default('https://accounts.google.com'),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: text(2000).optional(),
  OIDC_CLIENT_SECRET: text(2000).optional(),
  OIDC_NAME: text(40).optional(),
  TRUSTED_PROXIES: parsedBy(parseTrustedProxies).default('loopback'),
  SHOP_TIME_ZONE: matching(
    isTimeZone,
    'must be the name of a time zone, such as America/Chicago',
  ).default('America/New_York'),
  PAGE_CACHE_MB: wholeNumber(1, 4096, 32),
  OVERLOAD_MAX_WAIT_MS: wholeNumber(100, 60_000, 2000),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: wholeNumber(1, 3660, 7),
  BACKUP_AT: matching(
    /^(off|([01]\d|2[0-3]):[0-5]\d)$/,
    'must be a time such as 03:30, or off',
  ).default('03:30'),
  AUTH_WEBHOOK_URL: matching(
    (url) => isHttp(url) && !new URL(url).username,
    'must be an http or https URL without a password',
  ).optional(),
  AUTH_WEBHOOK_SECRET: longText(32).optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  ACCESS_LOG: flag.default('0'),
  METRICS_TOKEN: longText(16).regex(/^\S+$/, 'must have no spaces').optional(),
})

const groups = [
  ['AUTH_WEBHOOK_URL', 'AUTH_WEBHOOK_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'],
] as const

const EnvironmentWithRules = Environment.superRefine((env, context) => {
  const require = (companion: keyof typeof env, name: keyof typeof env) => {
    if (!env[name] || env[companion]) return
    const message = `must be set along with ${name}`
    context.addIssue({ code: 'custom', path: [companion], message })
  }
  for (const group of groups) {
    for (const name of group) group.forEach((companion) => require(companion, name))
  }
  require('DATABASE_URL', 'DATABASE_LISTEN_URL')
  // A shop with APP_SECRET may have a temporary data folder, which would lose a generated password.
  require('OWNER_PASSWORD', 'APP_SECRET')
})

export type Env = ReturnType<typeof readEnv>

export function readEnv(variables: Record<string, string | undefined>) {
  const setVariables = Object.entries(variables).filter(([, value]) => value !== '')
  const { data: env, error } = EnvironmentWithRules.safeParse(Object.fromEntries(setVariables))
  const lines = error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  if (!env) throw Object.assign(new Error(lines?.join('; ')), { lines })
  const ownerEmail = canonicalEmail(env.OWNER_EMAIL)
  if (
    env.OWNER_PASSWORD !== undefined &&
    (isCommonPassword(env.OWNER_PASSWORD) ||
      [ownerEmail, ownerEmail.split('@')[0]].includes(env.OWNER_PASSWORD.toLowerCase()))
  ) {
    throw new Error('OWNER_PASSWORD is a common password; choose another')
  }
  const settings = {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    publicUrl: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : null,
    ownerEmail,
    ownerPassword: env.OWNER_PASSWORD ?? null,
    demo: env.DEMO === '1',
    databaseUrl: env.DATABASE_URL ?? null,
    listenUrl: env.DATABASE_LISTEN_URL ?? env.DATABASE_URL ?? null,
    connections: env.DATABASE_POOL_SIZE,
    drainSeconds: env.DRAIN_SECONDS,
    secret: env.APP_SECRET ?? null,
    filesUrl: env.STORAGE_URL ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    timeZone: env.SHOP_TIME_ZONE,
    readyPagesMb: env.PAGE_CACHE_MB,
    longestWait: env.OVERLOAD_MAX_WAIT_MS,
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
      metricsToken: env.METRICS_TOKEN ?? null,
    },
  }
  const [provider] = settings.providers
  if (provider && emailLinkOrigin(settings) === null) {
    throw new Error(
      `PUBLIC_URL must be set for ${provider.id.toUpperCase()}_CLIENT_ID: providers send people back to it`,
    )
  }
  return settings
}

const readProviders = (env: z.infer<typeof Environment>) =>
  [
    {
      id: 'google',
      name: 'Google',
      issuer: env.GOOGLE_ISSUER,
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
    },
    {
      id: 'oidc',
      name: env.OIDC_NAME,
      issuer: env.OIDC_ISSUER,
      clientId: env.OIDC_CLIENT_ID,
      clientSecret: env.OIDC_CLIENT_SECRET,
    },
  ].filter((provider): provider is ProviderSettings => Boolean(provider.clientId))

/** The Host header is not used: a sender could put any host into it. [S-182] */
export function emailLinkOrigin({
  publicUrl,
  host,
  port,
}: Pick<Env, 'publicUrl' | 'host' | 'port'>) {
  if (publicUrl) return publicUrl
  return ['127.0.0.1', 'localhost', '::1'].includes(host) && port !== 0
    ? `http://localhost:${port}`
    : null
}
