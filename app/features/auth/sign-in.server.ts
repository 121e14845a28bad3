import { canonicalEmail, isEmailAddress } from '#lib/text/email-address.server.ts'
import { encodeEmail } from '#lib/auth/encoded-emails.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { validatePassword } from '#lib/auth/password-policy.server.ts'
import { deleteGuest } from './guests/delete-guests.server.ts'
import { sendWelcomeVerification } from './email-verification/tokens.server.ts'
import type { User } from '#services/context.ts'
import { tooManyRequests } from '#services/rate-limits.server.ts'
import {
  callAuthApi,
  callPasswordSignIn,
  completeSignIn,
  type AuthRequest,
  type TypedLogin,
} from './auth-client.server.ts'
import { loginErrorTexts, loginResults } from './texts.ts'
import { parseName } from '#lib/auth/person-name.ts'
import { findUserByEmail } from '#services/users.server.ts'

export type Credentials = TypedLogin & { name: string }

export const parseCredentials = (form: FormData): Credentials => ({
  email: formText(form, 'email').trim(),
  password: formText(form, 'password'),
  name: formText(form, 'name'),
})

export type LoginRefusal = {
  ok: false
  status: number
  error: string
  help?: string
  errors?: { password?: string; name?: string }
  asksForCode?: boolean
}
type SignInResult = { ok: true; user: User } | LoginRefusal

export const refuseLogin = (
  error: string,
  status: number,
  more: Partial<LoginRefusal> = {},
): LoginRefusal => ({ ok: false, status, error, ...more })

export function checkRegistration({ email, password, name }: Credentials) {
  const { invalidEmail, weakPassword, longName } = loginErrorTexts
  const help = validatePassword(password, email)
  const badName = parseName(name) === null ? { name: longName } : {}
  if (!isEmailAddress(email)) {
    const badPassword = help === null ? {} : { password: `${weakPassword} ${help}` }
    return refuseLogin(invalidEmail, 422, { errors: { ...badPassword, ...badName } })
  }
  if (help !== null) return refuseLogin(weakPassword, 422, { help, errors: badName })
  return badName.name ? refuseLogin(longName, 422) : null
}

export async function logIn(auth: AuthRequest, typed: TypedLogin): Promise<SignInResult> {
  const { status, answer, cookies } = await callPasswordSignIn(auth, typed)
  if (status === 200 && answer.twoFactorRedirect) {
    auth.info.responseCookies.push(...cookies)
    return refuseLogin('', 401, { asksForCode: true })
  }
  if (status === 200) return { ok: true, user: await completeSignIn(auth, cookies) }
  if (status === 429) return tooManyRequests(auth.info)
  if (!(await findUserByEmail(auth.app.db, typed.email))) {
    return refuseLogin(loginErrorTexts.missingUser, 401)
  }
  return refuseLogin(loginErrorTexts.other, 401, { errors: { password: loginErrorTexts.noMatch } })
}

export async function register(auth: AuthRequest, credentials: Credentials): Promise<SignInResult> {
  const refusal = checkRegistration(credentials)
  if (refusal) return refusal
  const name = parseName(credentials.name) ?? ''
  const { status, code, cookies } = await callAuthApi(auth, '/sign-up/email', {
    ...credentials,
    email: encodeEmail(canonicalEmail(credentials.email)),
    name,
  })
  if (status === 200) {
    const user = await completeSignIn(auth, cookies)
    await sendWelcomeVerification(auth, user.id)
    return { ok: true, user }
  }
  if (status === 429) return tooManyRequests(auth.info)
  const wasTaken = code.startsWith('USER_ALREADY_EXISTS')
  // Without this hash, the faster answer would reveal that the account exists.
  if (wasTaken) await (await auth.app.auth.$context).password.hash(credentials.password)
  // better-auth gives no reason when two people register an address at once.
  const isTaken = wasTaken || (await findUserByEmail(auth.app.db, credentials.email))
  return refuseLogin(isTaken ? loginResults.emailTaken : loginResults.notRegistered, 422)
}

export async function signInAsGuest(auth: AuthRequest): Promise<SignInResult> {
  const { status, cookies } = await callAuthApi(auth, '/sign-in/anonymous', {})
  if (status === 200) return { ok: true, user: await completeSignIn(auth, cookies) }
  return status === 429 ? tooManyRequests(auth.info) : refuseLogin(loginResults.guestFailed, 500)
}

export async function logOut(auth: AuthRequest, user: User) {
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
