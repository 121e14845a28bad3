import { createContext } from 'react-router'
import type { Currency } from '#lib/text/currency.ts'
import type { Env } from '#lib/config/env.server.ts'
import type { Db } from '#db/schema.ts'
import type { Auth } from './auth.server.ts'
import type { AuthWebhook } from './auth-webhook.server.ts'
import type { BackgroundTasks } from '#lib/jobs/background-tasks.server.ts'
import type { Database } from './database.server.ts'
import type { FileStorage } from '#lib/storage/storage.server.ts'
import type { ErrorCounter } from '#lib/telemetry/error-counter.server.ts'
import type { FormTimestamp } from '#lib/http/form-timestamp.server.ts'
import type { VerificationCodes } from '#lib/auth/verification-codes.server.ts'
import type { ReadMailExchangers } from '#lib/email/mail-exchangers.server.ts'
import type { Live } from './live-topics.server.ts'
import type { Log } from '#lib/telemetry/log.server.ts'
import type { Outbox } from './outbox.server.ts'
import type { ImageStore } from './image-store.server.ts'
import type { ProviderChoice } from '#lib/auth/oauth-providers.server.ts'
import type { RateLimits } from './rate-limits.server.ts'

export type AppServices = {
  db: Db
  auth: Auth
  authWebhook: AuthWebhook
  backgroundTasks: BackgroundTasks
  storage: FileStorage
  images: ImageStore
  live: Live
  outbox: Outbox
  log: Log
  rateLimits: RateLimits
  formTimestamp: FormTimestamp
  verificationCodes: VerificationCodes
  mailboxSecret: string
  readMailExchangers: ReadMailExchangers
  backup: Env['backup'] & Pick<Database, 'copyDatabase' | 'dialect'> & { secrets: string }
  now: () => number
  timeZone: string
  defaultTimeZone: string
  currency: Currency
  publicUrl: string | null
  providers: readonly ProviderChoice[]
  /** Never comes from a request. Null means unknown. [S-182] */
  emailLinkOrigin: string | null
  processInfo: {
    dataDir: string
    startedAt: number
    version: string
    errors: ErrorCounter
  }
}

export type Role = 'owner' | 'customer' | 'guest'
export type User = {
  id: string
  name: string
  email: string
  image: string | null
  role: Role
  sessionId: string
  /** The UTC ms at which the person must log in again. */
  loginExpiresAt?: number
  hasSecondFactor?: boolean
}

export type RequestInfo = {
  nonce: string | null
  origin: string
  clientAddress: string
  theme: 'dark' | 'light' | null
  retryAfter?: number
  responseCookies: string[]
}

export const appContext = createContext<AppServices>()
export const userContext = createContext<User | null>(null)
export const requestInfoContext = createContext<RequestInfo>()
