/** The way to a provider: the library makes the address, with state, nonce and the challenge of PKCE. */
import { askAuth, type Asker } from '#app/features/accounts/ask-auth.server.ts'
import { AUTH_ORIGIN } from '#app/platform/auth.server.ts'
import type { User } from '#app/platform/context.ts'
import type { Reason, Try } from './provider-try.ts'

export type Begun = { ok: true; url: string } | { ok: false; reason: Reason }

/** Who may begin what: nobody who is signed in logs in once more, only a guest links, and only a lasting account has something to prove. */
export const mayBegin = (purpose: Try['purpose'], user: User | null): boolean =>
  purpose === 'login' ? user === null : user?.role === (purpose === 'link' ? 'guest' : 'customer')

/** LOGIN-13. The try is kept with the state on the server: what comes back is held to it. */
export async function beginTry(asker: Asker, provider: string, wanted: Try): Promise<Begun> {
  const query = new URLSearchParams(wanted)
  try {
    const { status, code, url, cookies } = await askAuth(asker, '/sign-in/social', {
      provider,
      disableRedirect: true,
      callbackURL: `${AUTH_ORIGIN}/in?${query}`,
      errorCallbackURL: `${AUTH_ORIGIN}/out?${query}`,
      ...(wanted.purpose === 'prove' && provider !== 'google' && { additionalParams: { prompt: 'login' } }),
    })
    if (status === 429) return { ok: false, reason: 'busy' }
    if (status !== 200 || !url) throw new Error(`${status} ${code}`)
    asker.page.cookies.push(...cookies)
    return { ok: true, url }
  } catch (error) {
    asker.shop.log.error('a provider could not be reached', error, { provider })
    return { ok: false, reason: 'unreachable' }
  }
}
