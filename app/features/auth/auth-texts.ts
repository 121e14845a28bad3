/** The texts of signing in, registering and re-authenticating; those of section 8 with their misspellings. */
import type { Role } from '#app/platform/context.ts'

/** LOGIN-42, LOGIN-43 */
export const signInError = (reason: 'missing-user' | 'other'): string => (reason === 'missing-user' ? 'User not Found' : '')

const signUpErrors: Record<string, string> = {
  USER_ALREADY_EXISTS: 'This email is already associated with an account. Please login to that account instead.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'This email is already associated with an account. Please login to that account instead.',
  PASSWORD_TOO_SHORT: 'Password is too weak!',
  PASSWORD_TOO_LONG: 'Password is too weak!',
  INVALID_EMAIL: 'Please provide a valid Email.',
}

/** LOGIN-44 to LOGIN-47, S-011: by the code of the authentication library. */
export const signUpError = (code: string): string => signUpErrors[code] ?? 'Invalid Email or Password: '

/** S-202: in which field to look for what was refused; null: in neither, or in both. */
export const fieldOf = (error: string): 'email' | 'password' | null =>
  error === signInError('missing-user') || error === signUpErrors.INVALID_EMAIL
    ? 'email'
    : error === signInError('other') || error === signUpErrors.PASSWORD_TOO_SHORT
      ? 'password'
      : null

/** LOGIN-48 */
export const LOGOUT_ERROR = 'Something went wrong...'

/** S-244 */
export const alreadyIn = ({ role, email }: { role: string; email: string }): string =>
  role === 'guest' ? 'You are here as a guest already' : `You are already logged in as ${email}`

/** LOGIN-55 */
export const INVALID_CREDENTIALS = 'Invalid Credentials'

type Greeted = { name: string; email: string; role: Role }

/** NAV-33, NAV-34, S-009: the first name; without a name the part of the e-mail before "@"; "Guest" for guests. */
export function firstNameOf({ name, email, role }: Greeted): string {
  if (role === 'guest') return 'Guest'
  return name.trim().split(/\s+/)[0] || email.split('@')[0] || 'Guest'
}

/** S-003: the warning of NAV-40, for guests only. */
export const GUEST_WARNING = 'Guests lose all their data on logout: favorites, messages and requests.'

/** `password`: by the password prompt. Without a password (Google): `fresh`, the log-in just now stands for it; `stale`, log in again first. */
export type ProofWay = 'password' | 'fresh' | 'stale'

/** How long a log-in stands for the password of an account that has none: milliseconds. */
export const FRESH_FOR = 10 * 60_000

export const STALE_LOGIN = 'Please log in again first: your last login is more than 10 minutes ago.'
