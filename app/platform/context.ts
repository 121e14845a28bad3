/** What every loader, action and middleware may use: one Shop for the process, and who asks in which page for the request. */
import { createContext } from 'react-router'
import type { Db, Dialect } from '#db/schema.ts'
import type { Auth } from './auth.server.ts'
import type { AuthSync } from './auth-sync.server.ts'
import type { Behind } from './behind.server.ts'
import type { Database } from '../lib/db/database.server.ts'
import type { Files } from './files.server.ts'
import type { ErrorTally } from './error-tally.server.ts'
import type { FormTime } from './form-time.server.ts'
import type { LetterCodes } from './letter-codes.server.ts'
import type { Live } from './live.server.ts'
import type { Log } from './log.server.ts'
import type { Mail } from './mail.server.ts'
import type { Pictures } from './pictures.server.ts'
import type { ProviderChoice, Providers } from './providers.server.ts'
import type { RateLimits } from './rate-limits.server.ts'

/** What a backup is made from, where it goes, and when (053). */
export type BackupSettings = {
  copyDatabase: Database['copyDatabase']
  dialect: Dialect
  /** folder of the shop's keys */
  secrets: string
  /** where archives lie */
  folder: string
  /** so many of the nightly ones */
  keep: number
  /** "03:30" in the shop's time zone; null: none by themselves */
  at: string | null
}

export type Shop = {
  db: Db
  auth: Auth
  authSync: AuthSync
  behind: Behind
  files: Files
  pictures: Pictures
  live: Live
  mail: Mail
  log: Log
  limits: RateLimits
  formTime: FormTime
  codes: LetterCodes
  backup: BackupSettings
  /** UTC milliseconds */
  now: () => number
  /** name of the zone in which the shop's days begin (SHOP_TIME_ZONE) */
  timeZone: string
  /** origin under which links in mails and on papers lead; null: the address of the request */
  publicUrl: string | null
  /** who else may say who somebody is, as the login page offers them (032) */
  providers: Providers<ProviderChoice>
  /** origin under which links in letters lead, never what a request says (S-182); null: nowhere that is known */
  letterOrigin: string | null
  /** what the process stands on, for those who watch over it (046) */
  machine: Machine
}

export type Machine = {
  /** DATA_DIR */
  dataDir: string
  /** UTC milliseconds */
  startedAt: number
  version: string
  errors: ErrorTally
}

export type Role = 'admin' | 'customer' | 'guest'
export type User = { id: string; name: string; email: string; image: string | null; role: Role; sessionId: string }

export type Page = {
  /** for the Content-Security-Policy; null in development, whose tools inject scripts of their own */
  nonce: string | null
  /** origin of the shop as this browser sees it */
  origin: string
  clientAddress: string
  theme: 'dark' | 'light'
  /** seconds to wait, told with a 429 (see `tooMany`) or a 503 */
  retryAfter?: number
  /** Set-Cookie lines that go out whatever the route returns */
  cookies: string[]
}

export const shopContext = createContext<Shop>()
/** null: nobody is signed in */
export const userContext = createContext<User | null>(null)
export const pageContext = createContext<Page>()
