/** The settings of the process, read once at start; a wrong value stops the start with one line that names it. */
import { z } from 'zod'
import type { SyncTarget } from './auth-sync.server.ts'
import type { ProviderSettings } from './providers.server.ts'
import { readTrustedProxies } from './client-address.server.ts'
import { isCommonPassword } from './fit-password.server.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './password-length.ts'
import { readStorageAddress } from './storage-address.ts'

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
  AUTH_SYNC_URL: setting(
    z
      .string()
      .refine((text) => url(['http:', 'https:'])(text) && !new URL(text).username, 'must be a http or https address without a password')
      .optional(),
  ),
  AUTH_SYNC_SECRET: setting(z.string().min(32, 'must have at least 32 characters').optional()),
})

/** Settings that are worth nothing alone. */
const Settings = Environment.superRefine((env, context) => {
  for (const [one, other] of [
    ['AUTH_SYNC_URL', 'AUTH_SYNC_SECRET'],
    ['AUTH_SYNC_SECRET', 'AUTH_SYNC_URL'],
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
  /** S3-compatible storage for the pictures; null: the data folder */
  filesUrl: string | null
  smtpUrl: string | null
  /** addresses and networks whose X-Forwarded-For is believed */
  trustedProxies: string
  timeZone: string
  /** where sign-ins and sign-outs are told (S-016) */
  authSync: SyncTarget | null
  /** who else may say who somebody is (032) */
  providers: ProviderSettings[]
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
    filesUrl: env.FILES_URL ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    trustedProxies: env.TRUSTED_PROXIES,
    timeZone: env.SHOP_TIME_ZONE,
    authSync: env.AUTH_SYNC_URL && env.AUTH_SYNC_SECRET ? { url: env.AUTH_SYNC_URL, secret: env.AUTH_SYNC_SECRET } : null,
    providers: readProviders(env),
  }
  const [first] = read.providers
  if (first && originOfLetters(read) === null)
    throw new Error(
      `PUBLIC_URL must be set for ${first.id === 'google' ? 'GOOGLE_CLIENT_ID' : 'OIDC_CLIENT_ID'}: providers send people back to it`,
    )
  return read
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
