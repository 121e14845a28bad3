/** The settings of the process, read once at start; a wrong value stops the start with one line that names it. */
import { z } from 'zod'
import { readTrustedProxies } from './client-address.server.ts'
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
  OWNER_PASSWORD: setting(z.string().min(8, 'must have at least 8 characters').max(128, 'must have at most 128 characters').optional()),
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
}

/** Reads the settings; throws an Error whose message is one line naming each wrong value. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const parsed = Environment.safeParse(variables)
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '))
  const env = parsed.data
  return {
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
  }
}

/**
 * S-182: where links in letters lead. Never what a request says of itself: its sender could put any address into somebody's letter. Without
 * PUBLIC_URL it is known only on a machine that serves itself.
 */
export function originOfLetters({ publicUrl, host, port }: Pick<Env, 'publicUrl' | 'host' | 'port'>): string | null {
  if (publicUrl) return publicUrl
  return ['127.0.0.1', 'localhost', '::1'].includes(host) && port !== 0 ? `http://localhost:${port}` : null
}
