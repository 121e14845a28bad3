import { isFitEmail } from '#app/platform/form.server.ts'
import { faultOfPassword } from '#app/platform/password-policy.server.ts'
import { clearGuest } from './guests/delete-guests.server.ts'
import { greetByLetter } from './email-verification/verification.server.ts'
import type { User } from '#app/platform/context.ts'
import { MOST_TYPED } from '#app/platform/account-limits.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { askAuth, enter, type Asker } from './auth-client.server.ts'
import { signInError, signUpError } from './auth-texts.ts'
import { findUserByEmail } from '#app/platform/users.server.ts'

export type Credentials = { email: string; password: string }

/** LOGIN-45, LOGIN-46, S-243: what is refused and what may help, null when both will do. */
export function checkRegistration({ email, password }: Credentials) {
  if (!isFitEmail(email)) return { ok: false, status: 422, error: signUpError('INVALID_EMAIL') } as const
  const help = faultOfPassword(password, email)
  return help === null ? null : ({ ok: false, status: 422, error: signUpError('PASSWORD_TOO_SHORT'), help } as const)
}

/** `asksForCode`: the password was right, and the second factor is asked for at /login/code/; nobody is signed in yet (037). */
export type SignedIn = { ok: true; user: User } | { ok: false; error: string; help?: string; status: number; asksForCode?: true }

/** LOGIN-11, LOGIN-42, LOGIN-43: a missing user is told, any other failure gives an empty message. */
export async function logIn(asker: Asker, { email, password }: Credentials): Promise<SignedIn> {
  const { status, answer, cookies } = await askAuth(asker, '/sign-in/email', {
    email: email.slice(0, MOST_TYPED),
    password: password.slice(0, MOST_TYPED),
  })
  if (status === 200 && answer.twoFactorRedirect) {
    asker.page.cookies.push(...cookies)
    return { ok: false, status: 401, error: '', asksForCode: true }
  }
  if (status === 200) return { ok: true, user: await enter(asker, cookies) }
  if (status === 429) return tooMany(asker.page)
  return { ok: false, status: 401, error: signInError((await findUserByEmail(asker.shop.db, email)) ? 'other' : 'missing-user') }
}

/** LOGIN-12, LOGIN-44 to LOGIN-47. Nobody is asked for a name (S-009). */
export async function register(asker: Asker, credentials: Credentials): Promise<SignedIn> {
  const refusal = checkRegistration(credentials)
  if (refusal) return refusal
  const { status, code, cookies } = await askAuth(asker, '/sign-up/email', { ...credentials, name: '' })
  if (status === 200) {
    const user = await enter(asker, cookies)
    await greetByLetter(asker.shop, user.id)
    return { ok: true, user }
  }
  if (status === 429) return tooMany(asker.page)
  // Of two registrations at once the later one fails in the database, with a code that does not say why.
  const isTaken = await findUserByEmail(asker.shop.db, credentials.email)
  // The library hashes only for a new address; as long as it takes must not tell more than the text does.
  if (code.startsWith('USER_ALREADY_EXISTS')) await (await asker.shop.auth.$context).password.hash(credentials.password)
  return { ok: false, status: 422, error: signUpError(isTaken ? 'USER_ALREADY_EXISTS' : code) }
}

/** LOGIN-14, S-019 */
export async function enterAsGuest(asker: Asker): Promise<SignedIn> {
  const { status, cookies } = await askAuth(asker, '/sign-in/anonymous', {})
  if (status === 200) return { ok: true, user: await enter(asker, cookies) }
  return status === 429 ? tooMany(asker.page) : { ok: false, status: 500, error: 'An Error has Occured...' }
}

/** LOGIN-15; a guest's account goes with everything of hers but the owner's copy of a request (S-004). False: still signed in. */
export async function logOut(asker: Asker, user: User): Promise<boolean> {
  try {
    if (user.role === 'guest') await clearGuest(asker.shop, user.id)
    const { status, cookies } = await askAuth(asker, '/sign-out', {})
    if (status !== 200) throw new Error(`signing out answered ${status}`)
    asker.page.cookies.push(...cookies)
  } catch (error) {
    asker.shop.log.error('somebody could not be signed out', error)
    return false
  }
  asker.shop.live.sessionEnded(user.sessionId)
  return true
}
