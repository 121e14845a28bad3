/** For a change of the email address, "change-old" is the email to the old address, and "change-new" the email to the new address. */
export type VerificationKind = 'reset' | 'verify' | 'change-old' | 'change-new'
type ConfirmKind = Exclude<VerificationKind, 'reset'>
export const confirmKinds: ConfirmKind[] = ['verify', 'change-old', 'change-new']

const HOUR_MS = 60 * 60_000
export const tokenLifetimesMs: Record<VerificationKind, number> = {
  reset: HOUR_MS,
  verify: 72 * HOUR_MS,
  'change-old': 24 * HOUR_MS,
  'change-new': 24 * HOUR_MS,
}

/** The shop sends at most this many reset emails to an address within an hour. Further requests get the same response, but no email. [S-228] */
export const MAX_RESETS_PER_HOUR = 3

export type Confirmation = { kind: ConfirmKind; email: string; newEmail: string }

/** `email` is the address of the account to which the code belongs. `sentTo` is the address that the user typed in the last request. `fault` says what is wrong with the password. */
export type ResetState =
  | { step: 'ask'; email: string; error: string }
  | {
      step: 'choose'
      sentTo: string
      email: string
      code: string
      error: string
      fault: string | null
    }
  | { step: 'done' }
  /** The shop cannot send emails. `email` and `phone` are the contact data of the owner, and may be ''. */
  | { step: 'unavailable'; email: string; phone: string }

/** `isConfirmed` is true if the address of the signed-in user is already verified. */
export type ConfirmState = {
  pending: Confirmation | null
  done: Confirmation | null
  code: string
  error: string
  isConfirmed: boolean
}
