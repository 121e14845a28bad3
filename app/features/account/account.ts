/** What the account page knows of the one who looks at it; every section takes its own part of it. */
import type { Answer } from '#app/ui/answer.ts'
import { DELETE_FAILED } from './delete-account/delete-account.ts'
import type { Belongings } from '#app/features/auth/belongings.server.ts'
import { proofTexts, type AccountAddress } from '#app/features/auth/email-verification/email-verification.ts'
import type { Failed } from '#app/features/auth/oauth/oauth.ts'
import type { ProviderChoice } from '#app/platform/providers.server.ts'
import type { User } from '#app/platform/context.ts'
import type { SecondFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { LOGOUT_ERROR, type ProofWay } from '#app/features/auth/auth-texts.ts'
import { LONGEST_NAME } from '#app/platform/account-limits.ts'

export type Account = {
  user: Pick<User, 'id' | 'name' | 'email' | 'image' | 'role'>
  proof: ProofWay
  /** by which it logs in, besides the password or in its place */
  providers: ProviderChoice[]
  /** what proving oneself by one of them came to, where the whole page went there */
  failed: Failed | null
  devices: DeviceLine[]
  timeZone: string
  address: AccountAddress
  /** the owner's; null for everybody else (037) */
  secondFactor: SecondFactor | null
  belongings: Belongings
}

export const NAME_UNFIT = `A name has at most ${LONGEST_NAME} characters.`
export const PHOTO_FAILED = 'The photo could not be stored. Please try again.'

/** LOGIN-49 */
export const PROFILE_NOT_UPDATED = 'Unable to Update Profile'
/** LOGIN-51 */
export const PASSWORD_NOT_UPDATED = 'Unable to Update Password'

/** What is told when a form could not be handled, or the connection was lost. */
export const failedAnswers = {
  name: { ok: false, toasts: [PROFILE_NOT_UPDATED] },
  photo: { ok: false, toasts: [PROFILE_NOT_UPDATED], field: 'file', error: PHOTO_FAILED },
  password: { ok: false, error: PASSWORD_NOT_UPDATED },
  devices: { ok: false, toasts: [LOGOUT_ERROR] },
  data: { ok: false },
  delete: { ok: false, error: DELETE_FAILED },
  email: { ok: false, error: proofTexts.notUpdated },
  verification: { ok: false, toasts: [proofTexts.notSent] },
} satisfies Record<string, Answer>

/** The forms of the account page, by the last part of the address that takes them. */
export type AccountForm = keyof typeof failedAnswers
export const isAccountForm = (text: string): text is AccountForm => Object.hasOwn(failedAnswers, text)

export type DeviceLine = {
  /** of the session; worth nothing without its cookie */
  id: string
  name: string
  isHandheld: boolean
  /** the one that asks */
  isThis: boolean
  /** UTC milliseconds; known to within an hour */
  seenAt: number
  since: number
}

export const DEVICE_ENDED = 'That device is logged out'
export const NO_SUCH_DEVICE = 'That device was logged out already'

export const othersEnded = (count: number): string =>
  count === 0 ? 'No other device is logged in' : count === 1 ? '1 other device is logged out' : `${count} other devices are logged out`
