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

type BackupSettings = {
  copyDatabase: Database['copyDatabase']
  dialect: Dialect
  secrets: string
  folder: string
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
  timeZone: string
  /** origin under which links in mails and on papers lead; null: the address of the request */
  publicUrl: string | null
  providers: Providers<ProviderChoice>
  /** origin under which links in letters lead, never what a request says (S-182); null: nowhere that is known */
  letterOrigin: string | null
  machine: Machine
}

type Machine = {
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
  cookies: string[]
}

export const shopContext = createContext<Shop>()
export const userContext = createContext<User | null>(null)
export const pageContext = createContext<Page>()
