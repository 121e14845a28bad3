/** Calls the authentication library: always through its request handler, so that its checks apply, and with rate limits (038). */
import { makeSignature } from 'better-auth/crypto'
import { AUTH_ORIGIN } from '#app/platform/auth.server.ts'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { AwayForNow, isOutageMet } from '#app/platform/outage.server.ts'
import { findUserOf } from './sessions.server.ts'
import type { Limited, Who } from '#app/platform/rate-limits.server.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readCookie } from '#app/platform/cookies.server.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { isAdminId } from '#app/platform/admin-id.ts'

type AuthAnswer = { code?: string; url?: string; twoFactorRedirect?: boolean; totpURI?: string; backupCodes?: string[] }
export type Asker = { shop: Shop; page: Page; request: Request }

/** Whoever signs in brings no cookie: the library's clearing of an ended session's would hide the new one. 429: `tooMany` says how long to wait. */
export async function askAuth(asker: Asker, path: string, body: object) {
  const { shop, page, request } = asker
  const counts = await countsOf(asker, path, body)
  // Counted before the try, so that many at once are not one.
  for (const { what, who } of counts) {
    const seconds = await shop.limits.secondsToWait(what, who)
    if (seconds === 0) continue
    page.retryAfter = seconds
    return { status: 429, code: 'TOO_MANY_TRIES', answer: {} as AuthAnswer, cookies: [] }
  }
  const asked = shop.auth.handler(
    new Request(`${AUTH_ORIGIN}/api/auth${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: AUTH_ORIGIN,
        cookie: path.startsWith('/sign-in') || path.startsWith('/sign-up') ? '' : (request.headers.get('cookie') ?? ''),
        'user-agent': request.headers.get('user-agent') ?? '',
        'x-client-address': page.clientAddress,
      },
      body: JSON.stringify(body),
    }),
  )
  const response = await asked.catch((error: unknown) => {
    shop.log.error('the accounts library failed', error, { path })
    return new Response(null, { status: 500 })
  })
  // S-262: whatever it makes of that, neither the password nor the address was wrong.
  if (!response.ok && isOutageMet()) throw new AwayForNow(`the accounts library failed at ${path}`)
  if (response.ok && path === '/sign-in/email') for (const { what, who } of counts) await shop.limits.giveBack(what, who)
  const answer = ((await response.json().catch(() => null)) ?? {}) as AuthAnswer
  return { status: response.status, code: answer.code ?? '', answer, cookies: response.headers.getSetCookie() }
}

/** LOGIN-25: the user of the session that the library has just made; its cookies go out with the page. Every way in ends here. */
export async function enter(asker: Asker, cookies: string[]): Promise<User> {
  const user = await userOfCookies(asker, cookies)
  if (user.email) await rememberDevice(asker, user.email)
  asker.page.cookies.push(...cookies)
  asker.shop.authSync.signedIn(user)
  return user
}

/** Whose session the library has just made; for a session that never reaches the browser, nobody has come in yet. */
export async function userOfCookies({ shop }: Pick<Asker, 'shop'>, cookies: string[]): Promise<User> {
  const user = await findUserOf(shop, new Headers({ cookie: cookies.map((line) => line.split(';')[0]).join('; ') }), [])
  if (!user) throw new Error('the new session could not be read')
  return user
}

type Count = { what: Limited; who: Who }
const countedByAddress = new Map<string, Limited>([
  ['/sign-up/email', 'registration'],
  ['/sign-in/anonymous', 'guest'],
  ['/sign-in/social', 'provider'],
])

/**
 * Only failures to sign in count: first for the account from this address, so that one who guesses takes nothing from others; then for all accounts
 * from this address (a stolen list), and for this account from everywhere. A device that is known has tries of its own.
 */
async function countsOf(asker: Asker, path: string, body: object): Promise<Count[]> {
  const address = asker.page.clientAddress
  const what = countedByAddress.get(path)
  if (what) return [{ what, who: { address } }]
  if (path !== '/sign-in/email') return []
  const email = 'email' in body ? String(body.email) : ''
  const device = await knownDevice(asker, email)
  if (device) return [{ what: 'known-device', who: { account: device } }]
  return [
    { what: 'sign-in-here', who: { account: `${address} ${email}` } },
    { what: 'sign-in', who: { address } },
    { what: 'sign-in-anywhere', who: { account: email } },
  ]
}

const COOKIE = 'known'
const KEPT_FOR = 180 * 24 * 60 * 60_000
const MOST_ACCOUNTS = 5

/**
 * The cookie names nobody: only who types the address can see that it fits. It fits as long as the password is the same, or marks collected with the
 * old one would give ten tries at the new one each.
 */
async function openSignature({ shop }: Asker, typed: string): Promise<(mark: string) => Buffer> {
  const email = typed.toLowerCase()
  const own = await shop.db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select('account.password')
    .where('user.email', '=', email)
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst()
  const { secret } = await shop.auth.$context
  const key = createHmac('sha256', secret).update('known devices').digest()
  return (mark) =>
    createHmac('sha256', key)
      .update(`${mark} ${email} ${own?.password ?? ''}`)
      .digest()
}

const entriesOf = ({ request, page }: Asker): string[] =>
  readCookie(request, page, COOKIE)
    .split('~')
    .slice(0, MOST_ACCOUNTS)
    .filter((entry) => entry !== '')

/** The mark of this device for this account; null: nobody has signed in to it from here for half a year. */
async function knownDevice(asker: Asker, email: string): Promise<string | null> {
  const entries = entriesOf(asker)
  if (entries.length === 0) return null
  const sign = await openSignature(asker, email)
  for (const entry of entries) {
    const [mark = '', signature = ''] = entry.split('.')
    const expected = sign(mark)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) continue
    const age = asker.shop.now() - Number.parseInt(mark.split('-')[0]!, 36)
    return age < KEPT_FOR ? mark : null
  }
  return null
}

export async function rememberDevice(asker: Asker, email: string): Promise<void> {
  const before = await knownDevice(asker, email)
  const others = entriesOf(asker).filter((entry) => !(before && entry.startsWith(`${before}.`)))
  const mark = `${asker.shop.now().toString(36)}-${newSecretId()}`
  const entry = `${mark}.${(await openSignature(asker, email))(mark).toString('base64url')}`
  const value = [entry, ...others].slice(0, MOST_ACCOUNTS).join('~')
  asker.page.cookies.push(`${COOKIE}=${value}; Path=/; Max-Age=${KEPT_FOR / 1000}; HttpOnly; SameSite=Lax`)
}

/** For a user who proved otherwise who she is, outside of transactions. Never the owner, who comes in by the login page. */
export async function enterAs(asker: Asker, userId: string): Promise<User> {
  if (isAdminId(userId)) throw new Error('the owner signs in at the login page')
  const { internalAdapter } = await asker.shop.auth.$context
  const userAgent = asker.request.headers.get('user-agent') ?? ''
  const session = await internalAdapter.createSession(userId, false, { ipAddress: asker.page.clientAddress, userAgent })
  return enter(asker, [await sessionCookie(asker.shop, session.token)])
}

/** The session's cookie, as better-auth would write it itself: the token with its signature. */
export async function sessionCookie({ auth }: Pick<Shop, 'auth'>, token: string): Promise<string> {
  const { authCookies, secret, sessionConfig } = await auth.$context
  const { name, attributes } = authCookies.sessionToken
  const value = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`)
  return `${name}=${value}; Max-Age=${sessionConfig.expiresIn}; Path=/; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`
}
