/** change-old, change-new: the two emails of an address change */
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

/** A further request gets the same response, but the shop sends no email. [S-228] */
export const MAX_RESETS_PER_HOUR = 3

export type Confirmation = { kind: ConfirmKind; email: string; newEmail: string }

/** `email`: the account that the code belongs to; `sentTo`: the address of a request that was just made; `fault`: what is wrong with the password */
export type ResetState =
  | { step: 'ask'; email: string; error: string }
  | { step: 'choose'; sentTo: string; email: string; code: string; error: string; fault: string | null }
  | { step: 'done' }
  /** the shop cannot send emails; `email` and `phone`: of the owner, or '' */
  | { step: 'unavailable'; email: string; phone: string }

/** `isConfirmed`: the signed-in user's address is already verified. */
export type ConfirmState = {
  pending: Confirmation | null
  done: Confirmation | null
  code: string
  error: string
  isConfirmed: boolean
}
