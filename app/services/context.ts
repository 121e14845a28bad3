import { createContext } from 'react-router'
import type { Currency } from '#app/lib/text/currency.ts'
import type { Db, Dialect } from '#db/schema.ts'
import type { Auth } from './auth.server.ts'
import type { AuthWebhook } from '#app/lib/auth/auth-webhook.server.ts'
import type { BackgroundTasks } from '#app/lib/jobs/background-tasks.server.ts'
import type { Database } from '#app/lib/db/database.server.ts'
import type { FileStorage } from '#app/lib/storage/storage.server.ts'
import type { ErrorCounter } from '#app/lib/telemetry/error-counter.server.ts'
import type { FormTimestamp } from '#app/lib/http/form-timestamp.server.ts'
import type { VerificationCodes } from '#app/lib/auth/verification-codes.server.ts'
import type { Live } from './live-topics.server.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'
import type { Outbox } from '#app/lib/email/outbox.server.ts'
import type { ImageStore } from '#app/lib/images/image-store.server.ts'
import type { ProviderChoice, Providers } from '#app/lib/auth/oauth-providers.server.ts'
import type { RateLimits } from './rate-limits.server.ts'

type BackupSettings = {
  copyDatabase: Database['copyDatabase']
  dialect: Dialect
  secrets: string
  folder: string
  keep: number
  /** the time of the nightly backup in the shop's time zone, such as '03:30', or null if there is no nightly backup */
  at: string | null
}

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
  /** the secret that encrypts the password of the owner's mailbox */
  mailboxSecret: string
  backup: BackupSettings
  /** returns the time in UTC milliseconds */
  now: () => number
  /** the time zone of days, weeks and months: the owner's setting, or `defaultTimeZone` */
  timeZone: string
  /** the setting SHOP_TIME_ZONE */
  defaultTimeZone: string
  currency: Currency
  /** the origin that PUBLIC_URL sets, or null if the shop uses the origin of each request */
  publicUrl: string | null
  providers: Providers<ProviderChoice>
  /** the origin of links in emails, which never comes from a request, or null if the origin is unknown [S-182] */
  emailLinkOrigin: string | null
  processInfo: ProcessInfo
}

type ProcessInfo = {
  dataDir: string
  /** the start of the process in UTC milliseconds */
  startedAt: number
  version: string
  errors: ErrorCounter
}

export type Role = 'admin' | 'customer' | 'guest'
/** `hasSecondFactor` is true if two-step login is on for the account. */
export type User = {
  id: string
  name: string
  email: string
  image: string | null
  role: Role
  sessionId: string
  hasSecondFactor?: boolean
}

export type RequestInfo = {
  /** the nonce of the Content-Security-Policy; null in development, because tools inject scripts without a nonce */
  nonce: string | null
  /** the origin of the shop in the browser's address bar */
  origin: string
  clientAddress: string
  /** the theme that the visitor has chosen, or null if the shop's default theme applies */
  theme: 'dark' | 'light' | null
  /** the seconds in the Retry-After header of a 429 response (`tooManyRequests`) or a 503 response */
  retryAfter?: number
  responseCookies: string[]
}

export const appContext = createContext<AppServices>()
export const userContext = createContext<User | null>(null)
export const requestInfoContext = createContext<RequestInfo>()
