import { isValidEmail } from '#app/lib/http/form-data.server.ts'
import { validatePassword } from '#app/lib/auth/password-policy.server.ts'
import { deleteGuest } from './guests/delete-guests.server.ts'
import { sendWelcomeVerification } from './email-verification/verification-tokens.server.ts'
import type { User } from '#app/services/context.ts'
import { tooManyRequests } from '#app/services/rate-limits.server.ts'
import {
  callAuthApi,
  callPasswordSignIn,
  completeSignIn,
  type AuthRequest,
  type TypedLogin,
} from './auth-client.server.ts'
import { loginErrorTexts, loginResults } from './texts.ts'
import type { FieldErrors } from './login-pages.tsx'
import { parseName } from '#app/lib/auth/person-name.ts'
import { findUserByEmail } from '#app/services/users.server.ts'

export type Credentials = { email: string; password: string; name: string }

/** The text that the shop shows for each error code of better-auth. [LOGIN-44 to LOGIN-47, S-011] */
const signUpErrors: Record<string, string> = {
  USER_ALREADY_EXISTS: loginResults.emailTaken,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: loginResults.emailTaken,
  PASSWORD_TOO_SHORT: loginErrorTexts.weakPassword,
  PASSWORD_TOO_LONG: loginErrorTexts.weakPassword,
  INVALID_EMAIL: loginErrorTexts.invalidEmail,
}

/** Returns the first error with its help text, and the other errors by field in `errors`. Returns null if everything is valid. [LOGIN-45, LOGIN-46, S-243] */
export function checkRegistration({ email, password, name }: Credentials): Refusal | null {
  const { invalidEmail, weakPassword, longName } = loginErrorTexts
  const help = validatePassword(password, email)
  const badName = parseName(name) === null ? { name: longName } : {}
  if (!isValidEmail(email)) {
    const badPassword = help === null ? {} : { password: `${weakPassword} ${help}` }
    return { ok: false, status: 422, error: invalidEmail, errors: { ...badPassword, ...badName } }
  }
  if (help !== null) return { ok: false, status: 422, error: weakPassword, help, errors: badName }
  return badName.name ? { ok: false, status: 422, error: longName } : null
}

type Refusal = { ok: false; error: string; help?: string; errors?: FieldErrors; status: number }
/** With `asksForCode`, the password was correct, and /login/code/ asks for the second factor. */
type SignInResult = { ok: true; user: User } | (Refusal & { asksForCode?: true })

/** If no account has the email address, `error` says so. If the password is wrong, `error` is empty, and `errors` contains the text for the password field. [LOGIN-11, LOGIN-42, LOGIN-43, S-010] */
export async function logIn(auth: AuthRequest, typed: TypedLogin): Promise<SignInResult> {
  const { status, answer, cookies } = await callPasswordSignIn(auth, typed)
  if (status === 200 && answer.twoFactorRedirect) {
    auth.info.responseCookies.push(...cookies)
    return { ok: false, status: 401, error: '', asksForCode: true }
  }
  if (status === 200) return { ok: true, user: await completeSignIn(auth, cookies) }
  if (status === 429) return tooManyRequests(auth.info)
  if (!(await findUserByEmail(auth.app.db, typed.email)))
    return { ok: false, status: 401, error: loginErrorTexts.missingUser }
  return {
    ok: false,
    status: 401,
    error: loginErrorTexts.other,
    errors: { password: loginErrorTexts.noMatch },
  }
}

export async function register(auth: AuthRequest, credentials: Credentials): Promise<SignInResult> {
  const refusal = checkRegistration(credentials)
  if (refusal) return refusal
  const name = parseName(credentials.name) ?? ''
  const { status, code, cookies } = await callAuthApi(auth, '/sign-up/email', {
    ...credentials,
    name,
  })
  if (status === 200) {
    const user = await completeSignIn(auth, cookies)
    await sendWelcomeVerification(auth, user.id)
    return { ok: true, user }
  }
  if (status === 429) return tooManyRequests(auth.info)
  // If two people register the same address concurrently, better-auth refuses the second registration without a reason. So the shop looks up the address.
  const isTaken = await findUserByEmail(auth.app.db, credentials.email)
  // Computes a password hash even if the address has an account already, because a faster response would reveal the account.
  if (code.startsWith('USER_ALREADY_EXISTS'))
    await (await auth.app.auth.$context).password.hash(credentials.password)
  return {
    ok: false,
    status: 422,
    error: isTaken ? loginResults.emailTaken : (signUpErrors[code] ?? loginResults.notRegistered),
  }
}

export async function signInAsGuest(auth: AuthRequest): Promise<SignInResult> {
  const { status, cookies } = await callAuthApi(auth, '/sign-in/anonymous', {})
  if (status === 200) return { ok: true, user: await completeSignIn(auth, cookies) }
  return status === 429
    ? tooManyRequests(auth.info)
    : { ok: false, status: 500, error: loginResults.guestFailed }
}

/** Ends the session. If the user is a guest, also deletes the guest, but keeps her conversation for the owner. Returns false if the logout failed. [LOGIN-15, S-004] */
export async function logOut(auth: AuthRequest, user: User): Promise<boolean> {
  try {
    if (user.role === 'guest') await deleteGuest(auth.app, user.id)
    const { status, cookies } = await callAuthApi(auth, '/sign-out', {})
    if (status !== 200) throw new Error(`signing out answered ${status}`)
    auth.info.responseCookies.push(...cookies)
  } catch (error) {
    auth.app.log.error('a user could not be signed out', error)
    return false
  }
  auth.app.live.sessionEnded(user.sessionId)
  return true
}
