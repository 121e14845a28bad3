/** The settings of the process, read once at start; a wrong value stops the start with one line that names it. */
import { join } from 'node:path'
import { z } from 'zod'
import type { SyncTarget } from './auth-sync.server.ts'
import type { ProviderSettings } from './providers.server.ts'
import { readTrustedProxies } from './client-address.server.ts'
import { isCommonPassword } from './fit-password.server.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password-length.ts'
import { readStorageAddress } from './storage-address.ts'
import { readWatch, watchSettings, type Watch } from './watch-env.server.ts'

const isTimeZone = (zone: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }))
  } catch {
    return false
  }
}
const url = (protocols: string[]) => (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol)
const blankIsUnset = (value: unknown) => (value === '' ? undefined : value)
const setting = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsUnset, schema)

const someText = z.string().trim().max(2000, 'must have at most 2000 characters').optional()
/** What a provider says is believed: nobody on the way may say it in its place. */
const isIssuer = (issuer: string) =>
  url(['https:'])(issuer) || (url(['http:'])(issuer) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname))
const issuer = z.string().refine(isIssuer, 'must be a https address')

const Environment = z.object({
  PORT: setting(z.coerce.number('must be a number').int('must be a whole number').min(0).max(65535, 'must be at most 65535').default(3000)),
  HOST: setting(z.string().default('127.0.0.1')),
  DATA_DIR: setting(z.string().default('data')),
  PUBLIC_URL: setting(
    z
      .string()
      .refine(url(['http:', 'https:']), 'must be a http or https address')
      .optional(),
  ),
  OWNER_EMAIL: setting(z.email('must be an e-mail address').default('owner@example.com')),
  OWNER_PASSWORD: setting(
    z
      .string()
      .min(SHORTEST_PASSWORD, `must have at least ${SHORTEST_PASSWORD} characters`)
      .max(LONGEST_PASSWORD, `must have at most ${LONGEST_PASSWORD} characters`)
      .optional(),
  ),
  DEMO: setting(z.enum(['0', '1'], 'must be 0 or 1').default('1')),
  DATABASE_URL: setting(
    z
      .string()
      .refine(url(['postgres:', 'postgresql:']), 'must be a postgres:// address')
      .optional(),
  ),
  DATABASE_LISTEN_URL: setting(
    z
      .string()
      .refine(url(['postgres:', 'postgresql:']), 'must be a postgres:// address')
      .optional(),
  ),
  DATABASE_CONNECTIONS: setting(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(2, 'must be at least 2')
      .max(500, 'must be at most 500')
      .default(10),
  ),
  DRAIN_SECONDS: setting(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(300, 'must be at most 300')
      .default(0),
  ),
  SHOP_SECRET: setting(z.string().trim().min(32, 'must have at least 32 characters').optional()),
  FILES_URL: setting(
    z
      .string()
      .superRefine((text, context) => {
        const read = readStorageAddress(text)
        if (typeof read === 'string') context.addIssue({ code: 'custom', message: read })
      })
      .optional(),
  ),
  SMTP_URL: setting(
    z
      .string()
      .refine(url(['smtp:', 'smtps:']), 'must be a smtp:// or smtps:// address')
      .optional(),
  ),
  GOOGLE_CLIENT_ID: setting(someText),
  GOOGLE_CLIENT_SECRET: setting(someText),
  GOOGLE_ISSUER: setting(issuer.default('https://accounts.google.com')),
  OIDC_ISSUER: setting(issuer.optional()),
  OIDC_CLIENT_ID: setting(someText),
  OIDC_CLIENT_SECRET: setting(someText),
  OIDC_NAME: setting(z.string().trim().max(40, 'must have at most 40 characters').optional()),
  TRUSTED_PROXIES: setting(
    z
      .string()
      .superRefine((text, context) => {
        const read = readTrustedProxies(text)
        if (typeof read === 'string') context.addIssue({ code: 'custom', message: read })
      })
      .default('loopback'),
  ),
  SHOP_TIME_ZONE: setting(
    z.string().refine(isTimeZone, 'must be the name of a time zone, such as America/Chicago').default('America/New_York'),
  ),
  READY_PAGES_MB: setting(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(4096, 'must be at most 4096')
      .default(32),
  ),
  CDN_PURGE: setting(
    z
      .string()
      .regex(/^(cloudflare|fastly):[A-Za-z0-9]{1,64}$/, 'must be cloudflare:{zone} or fastly:{service}')
      .optional(),
  ),
  CDN_PURGE_TOKEN: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]{8,500}$/, 'must be the token that the CDN gave')
      .optional(),
  ),
  LONGEST_WAIT_MS: setting(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(100, 'must be at least 100')
      .max(60_000, 'must be at most 60000')
      .default(2000),
  ),
  BACKUP_DIR: setting(z.string().optional()),
  BACKUP_KEEP: setting(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(3660, 'must be at most 3660')
      .default(7),
  ),
  BACKUP_AT: setting(
    z
      .string()
      .regex(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time such as 03:30, or off')
      .default('03:30'),
  ),
  AUTH_SYNC_URL: setting(
    z
      .string()
      .refine((text) => url(['http:', 'https:'])(text) && !new URL(text).username, 'must be a http or https address without a password')
      .optional(),
  ),
  AUTH_SYNC_SECRET: setting(z.string().min(32, 'must have at least 32 characters').optional()),
  ...watchSettings,
})

/** Settings that are worth nothing alone. */
const Settings = Environment.superRefine((env, context) => {
  for (const [one, other] of [
    ['AUTH_SYNC_URL', 'AUTH_SYNC_SECRET'],
    ['AUTH_SYNC_SECRET', 'AUTH_SYNC_URL'],
    ['CDN_PURGE', 'CDN_PURGE_TOKEN'],
    ['CDN_PURGE_TOKEN', 'CDN_PURGE'],
    ['CDN_PURGE', 'PUBLIC_URL'],
    ['DATABASE_LISTEN_URL', 'DATABASE_URL'],
    // A folder that does not outlive the process cannot keep a password that was made up.
    ['SHOP_SECRET', 'OWNER_PASSWORD'],
  ] as const)
    if (env[one] && !env[other]) context.addIssue({ code: 'custom', path: [other], message: `must be set along with ${one}` })
})

export type Env = {
  port: number
  host: string
  dataDir: string
  /** origin without a trailing slash; null: whatever address the shop is opened under */
  publicUrl: string | null
  ownerEmail: string
  ownerPassword: string | null
  demo: boolean
  databaseUrl: string | null
  /** the same database without a pooler that hands connections round; null: SQLite */
  listenUrl: string | null
  /** to the database, at most */
  connections: number
  /** between being told to stop and refusing connections */
  drainSeconds: number
  /** what all secrets are made from, for processes that share no folder; null: the folder keeps them */
  secret: string | null
  /** S3-compatible storage for the pictures; null: the data folder */
  filesUrl: string | null
  smtpUrl: string | null
  /** addresses and networks whose X-Forwarded-For is believed */
  trustedProxies: string
  timeZone: string
  /** memory for the pages kept ready for visitors (039) */
  readyPagesMb: number
  /** milliseconds of waiting at the door from which on visitors who only look are refused (047) */
  longestWait: number
  /** who keeps public pages in front of the shop, and is told when they change (039) */
  cdn: CdnSettings | null
  /** where archives of the shop lie, how many nightly ones stay, and when these are made; null: never (045) */
  backup: { folder: string; keep: number; at: string | null }
  /** where sign-ins and sign-outs are told (S-016) */
  authSync: SyncTarget | null
  /** who else may say who somebody is (032) */
  providers: ProviderSettings[]
  watch: Watch
}

/** Reads the settings; throws an Error whose message is one line naming each wrong value. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const parsed = Settings.safeParse(variables)
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '))
  const env = parsed.data
  const own = [env.OWNER_EMAIL, env.OWNER_EMAIL.split('@')[0]].map((word) => word?.toLowerCase())
  if (env.OWNER_PASSWORD !== undefined && (isCommonPassword(env.OWNER_PASSWORD) || own.includes(env.OWNER_PASSWORD.toLowerCase())))
    throw new Error('OWNER_PASSWORD is one that everybody guesses; choose another')
  const read: Env = {
    port: env.PORT,
    host: env.HOST,
    dataDir: env.DATA_DIR,
    publicUrl: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : null,
    ownerEmail: env.OWNER_EMAIL.toLowerCase(),
    ownerPassword: env.OWNER_PASSWORD ?? null,
    demo: env.DEMO === '1',
    databaseUrl: env.DATABASE_URL ?? null,
    listenUrl: env.DATABASE_LISTEN_URL ?? env.DATABASE_URL ?? null,
    connections: env.DATABASE_CONNECTIONS,
    drainSeconds: env.DRAIN_SECONDS,
    secret: env.SHOP_SECRET ?? null,
    filesUrl: env.FILES_URL ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    timeZone: env.SHOP_TIME_ZONE,
    readyPagesMb: env.READY_PAGES_MB,
    longestWait: env.LONGEST_WAIT_MS,
    cdn: env.CDN_PURGE && env.CDN_PURGE_TOKEN ? readCdn(env.CDN_PURGE, env.CDN_PURGE_TOKEN) : null,
    backup: {
      folder: env.BACKUP_DIR ?? join(env.DATA_DIR, 'backups'),
      keep: env.BACKUP_KEEP,
      at: env.BACKUP_AT === 'off' ? null : env.BACKUP_AT,
    },
    authSync: env.AUTH_SYNC_URL && env.AUTH_SYNC_SECRET ? { url: env.AUTH_SYNC_URL, secret: env.AUTH_SYNC_SECRET } : null,
    providers: readProviders(env),
    watch: readWatch(env),
  }
  const [first] = read.providers
  if (first && originOfLetters(read) === null)
    throw new Error(
      `PUBLIC_URL must be set for ${first.id === 'google' ? 'GOOGLE_CLIENT_ID' : 'OIDC_CLIENT_ID'}: providers send people back to it`,
    )
  return read
}

export type CdnSettings = { kind: 'cloudflare' | 'fastly'; zone: string; token: string; api: string }

function readCdn(text: string, token: string): CdnSettings {
  const [kind, zone = ''] = text.split(':')
  return kind === 'fastly'
    ? { kind, zone, token, api: 'https://api.fastly.com' }
    : { kind: 'cloudflare', zone, token, api: 'https://api.cloudflare.com/client/v4' }
}

/** Each provider is set whole or not at all. */
function isWhole(settings: Record<string, string | undefined>): boolean {
  const names = Object.keys(settings)
  const there = names.find((name) => settings[name])
  const missing = names.filter((name) => !settings[name])
  if (there && missing.length > 0) throw new Error(missing.map((name) => `${name} must be set too, as ${there} is`).join('; '))
  return there !== undefined
}

function readProviders(env: z.infer<typeof Environment>): ProviderSettings[] {
  const { GOOGLE_ISSUER, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env
  const google = { id: 'google', name: 'Google', issuer: GOOGLE_ISSUER, clientId: GOOGLE_CLIENT_ID!, clientSecret: GOOGLE_CLIENT_SECRET! }
  const other = { id: 'oidc', name: OIDC_NAME!, issuer: OIDC_ISSUER!, clientId: OIDC_CLIENT_ID!, clientSecret: OIDC_CLIENT_SECRET! }
  return [
    ...(isWhole({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }) ? [google] : []),
    ...(isWhole({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME }) ? [other] : []),
  ]
}

/**
 * S-182: where links in letters lead. Never what a request says of itself: its sender could put any address into somebody's letter. Without
 * PUBLIC_URL it is known only on a machine that serves itself.
 */
export function originOfLetters({ publicUrl, host, port }: Pick<Env, 'publicUrl' | 'host' | 'port'>): string | null {
  if (publicUrl) return publicUrl
  return ['127.0.0.1', 'localhost', '::1'].includes(host) && port !== 0 ? `http://localhost:${port}` : null
}
