/** The door to the authentication library: every call goes through its request handler, so that its checks apply, and is counted (038). */
import { AUTH_ORIGIN } from '#app/platform/auth.server.ts'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { AwayForNow, isOutageMet } from '#app/platform/outage.server.ts'
import { countTry } from './auth-limits.server.ts'
import { rememberDevice } from './known-devices.server.ts'
import { findUserOf } from './sessions.server.ts'

/** What of the library's answers the shop reads. */
export type AuthAnswer = { code?: string; url?: string; twoFactorRedirect?: boolean; totpURI?: string; backupCodes?: string[] }
export type Asker = { shop: Shop; page: Page; request: Request }

/**
 * Calls the library as a browser of its own would; the cookies it sets go out with the page. Whoever signs in brings no cookie:
 * she has no session, at most the cookie of an ended one, and the library's clearing of that would hide the new one.
 * 429: too many tries; how long to wait stands in `page.retryAfter`, `tooMany` says it.
 */
export async function askAuth(asker: Asker, path: string, body: object) {
  const { shop, page, request } = asker
  const { seconds, succeeded } = await countTry(asker, path, body)
  if (seconds > 0) {
    page.retryAfter = seconds
    return { status: 429, code: 'TOO_MANY_TRIES', url: '', answer: {} as AuthAnswer, cookies: [] }
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
  if (response.ok) await succeeded()
  const answer = (await response.json().catch(() => null)) as AuthAnswer | null
  const cookies = response.headers.getSetCookie()
  return { status: response.status, code: answer?.code ?? '', url: answer?.url ?? '', answer: answer ?? {}, cookies }
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
