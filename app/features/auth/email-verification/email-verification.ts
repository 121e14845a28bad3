/** reset: a forgotten password · verify: a first confirmation · change-old, change-new: the two letters of another address */
export type ProofKind = 'reset' | 'verify' | 'change-old' | 'change-new'
type ConfirmKind = Exclude<ProofKind, 'reset'>
export const confirmKinds: ConfirmKind[] = ['verify', 'change-old', 'change-new']

const HOUR = 60 * 60_000
/** S-227: in milliseconds. */
export const lifetimes: Record<ProofKind, number> = { reset: HOUR, verify: 72 * HOUR, 'change-old': 24 * HOUR, 'change-new': 24 * HOUR }

/** S-228: as many letters about a forgotten password go to one address in an hour; what is asked beyond is answered alike and not sent. */
export const RESETS_AN_HOUR = 3

/** What the page of a code shows before anything happens. */
export type Confirmation = { kind: ConfirmKind; email: string; newEmail: string }

/** What the page of a forgotten password shows. `email`: whose password it is, known by the code; `sentTo`: just asked for; `fault`: of the password. */
export type ResetState =
  | { step: 'ask'; email: string; error: string }
  | { step: 'choose'; sentTo: string; email: string; code: string; error: string; fault: string | null }
  | { step: 'done' }

/** `isConfirmed`: whoever looks is signed in, and her address needs no confirmation any more. */
export type ConfirmState = {
  asked: Confirmation | null
  done: Confirmation | null
  code: string
  error: string
  isConfirmed: boolean
}

export const proofTexts = {
  /** LOGIN-53 */
  badCode: 'Code is Invalid',
  /** LOGIN-50 */
  notUpdated: 'Unable to Update Email',
  /** S-243: what may help below it */
  noAddress: 'That is no e-mail address.',
  sameEmail: 'That is your e-mail already.',
  otherEmail: 'Please try another address, or try again later.',
  /** LOGIN-52 */
  notSent: 'Unable to Send Verification Email',
  /** LOGIN-46 */
  badEmail: 'Please provide a valid Email.',
  verified: 'Your e-mail is confirmed. Thank you!',
  wasVerified: 'Your e-mail is confirmed already.',
  changed: 'Your e-mail is changed.',
  cancelled: 'Your e-mail stays as it is.',
} as const

export const verificationSent = (email: string): string => `A letter is on its way to ${email}.`
export const changeBegun = (waitsFor: 'old' | 'new', { email, newEmail }: { email: string; newEmail: string }): string =>
  waitsFor === 'old' ? `A letter is on its way to ${email}. Please confirm there first.` : verificationSent(newEmail)
