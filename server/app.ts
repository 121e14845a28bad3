/** The whole shop as one function: Request in, Response out. Tests call it, servers serve it. */
import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { findUserOf } from '#app/features/accounts/sessions.server.ts'
import { pageContext, shopContext, userContext, type Page, type Shop } from '#app/platform/context.ts'
import { guardHeaders } from './headers.ts'
import { isForeign, readTheme, tooLarge, withPublicOrigin } from './requests.ts'

export { openShop } from './open-shop.ts'
export { findUserOf }

export type App = (request: Request, client?: { address: string }) => Promise<Response>

export function createApp(shop: Shop, mode: 'production' | 'development' = 'production'): App {
  const handle = createRequestHandler(build, mode)
  return async (incoming, client = { address: '127.0.0.1' }) => {
    if (isForeign(incoming, shop.publicUrl)) return new Response('This form came from another site.', { status: 403 })
    if (tooLarge(incoming)) return new Response('That is more than the shop takes at once.', { status: 413 })
    const request = withPublicOrigin(incoming, shop.publicUrl)
    const page: Page = {
      nonce: randomBytes(16).toString('base64'),
      origin: new URL(request.url).origin,
      clientAddress: client.address,
      theme: readTheme(request),
      cookies: [],
    }
    const context = new RouterContextProvider()
    context.set(shopContext, shop)
    context.set(pageContext, page)
    context.set(userContext, await findUserOf(shop, request.headers, page.cookies))
    const response = await handle(request, context)
    const answer = new Response(response.body, response)
    for (const cookie of page.cookies) answer.headers.append('Set-Cookie', cookie)
    guardHeaders(answer.headers, { nonce: mode === 'production' ? page.nonce : null, isSecure: page.origin.startsWith('https:') })
    return answer
  }
}
