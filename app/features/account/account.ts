import type { Answer } from '#app/ui/answer.ts'
import { DELETE_FAILED } from './delete-account/delete-account.ts'
import { proofTexts } from '#app/features/auth/email-verification/email-verification.ts'
import { LOGOUT_ERROR } from '#app/features/auth/auth-texts.ts'
import { LONGEST_NAME } from '#app/platform/account-limits.ts'
import { countText } from '#app/ui/amounts.ts'

export const NAME_UNFIT = `A name has at most ${LONGEST_NAME} characters.`
const PHOTO_FAILED = 'The photo could not be stored. Please try again.'

/** LOGIN-49 */
const PROFILE_NOT_UPDATED = 'Unable to Update Profile'
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

export const DEVICE_ENDED = 'That device is logged out'
export const NO_SUCH_DEVICE = 'That device was logged out already'

export const othersEnded = (count: number): string =>
  count === 0 ? 'No other device is logged in' : `${countText(count, 'other device is', 'other devices are')} logged out`
