/** The whole shop as one function: Request in, Response out. Tests call it, servers serve it. */
import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { endedSessions, findUserOf } from '#app/features/accounts/sessions.server.ts'
import { hostOnly } from '#app/platform/cookies.server.ts'
import { pageContext, shopContext, userContext, type Page, type Shop, type User } from '#app/platform/context.ts'
import { guarded, guardHeaders } from './headers.ts'
import { openLargeBodies } from './large-bodies.ts'
import { plainPage } from './plain-page.ts'
import { mayBeLarge, originOf, readTheme, refusalOf, withBoundedBody, withoutZeroBytes, withPublicOrigin } from './requests.ts'

export { openShop } from './open-shop.ts'
export { endedSessions, findUserOf }

const BROKEN = 'A knot came loose'

export type App = (request: Request, client?: { address: string }) => Promise<Response>

export function createApp(shop: Shop, mode: 'production' | 'development' = 'production'): App {
  const handle = createRequestHandler(build, mode)
  const inTurn = openLargeBodies()

  async function answer(incoming: Request, client: { address: string }): Promise<Response> {
    const refusal = refusalOf(incoming, shop.publicUrl)
    if (refusal) return refused(incoming, refusal.status, refusal.text)
    const page: Page = {
      nonce: mode === 'production' ? randomBytes(16).toString('base64') : null,
      origin: originOf(incoming, shop.publicUrl),
      clientAddress: client.address,
      theme: readTheme(incoming),
      cookies: [],
    }
    const user = await findUserOf(shop, incoming.headers, page.cookies)
    const take = () => answerFor(incoming, page, user)
    return user?.role === 'admin' || !mayBeLarge(incoming) ? take() : inTurn(page.clientAddress, take)
  }

  async function answerFor(incoming: Request, page: Page, user: User | null): Promise<Response> {
    const bounded = await withBoundedBody(incoming, user?.role ?? null)
    if (!bounded) return refused(incoming, 413, 'That is more than the shop takes at once.')
    const request = withPublicOrigin(withoutZeroBytes(bounded), shop.publicUrl)
    const context = new RouterContextProvider()
    context.set(shopContext, shop)
    context.set(pageContext, page)
    context.set(userContext, user)
    const response = await handle(request, context)
    // The router's last words, as bare text, when a form without script or the page itself broke.
    if (response.status === 500 && response.headers.get('Content-Type') === 'text/plain') return refused(incoming, 500, BROKEN)
    const answered = new Response(response.body, response)
    const isSecure = page.origin.startsWith('https:')
    for (const cookie of page.cookies) answered.headers.append('Set-Cookie', isSecure ? hostOnly(cookie) : cookie)
    if (answered.status === 429 && page.retryAfter) answered.headers.set('Retry-After', String(page.retryAfter))
    // A cookie is one person's; a cache on the way that kept the answer would hand it to the next.
    const caching = answered.headers.get('Cache-Control')
    if (caching && answered.headers.has('Set-Cookie')) answered.headers.set('Cache-Control', caching.replace(/\bpublic\b/, 'private'))
    guardHeaders(answered.headers, { nonce: page.nonce, isSecure })
    return answered
  }

  const refused = (incoming: Request, status: number, text: string) => {
    const headers: Record<string, string> = status === 405 ? { Allow: 'GET, HEAD, POST' } : {}
    return guarded(plainPage(status, text, { theme: readTheme(incoming), headers }), shop.publicUrl)
  }

  return async (incoming, client = { address: '127.0.0.1' }) => {
    try {
      return await answer(incoming, client)
    } catch (error) {
      shop.log.error('a request failed before its route', error)
      return refused(incoming, 500, BROKEN)
    }
  }
}
