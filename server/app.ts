/** The whole shop as one function: Request in, Response out. Tests call it, servers serve it. */
import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { endedSessions, findUserOf } from '#app/features/accounts/sessions.server.ts'
import { pageContext, shopContext, userContext, type Page, type Shop } from '#app/platform/context.ts'
import { guarded, guardHeaders } from './headers.ts'
import { plainPage } from './plain-page.ts'
import { originOf, readTheme, refusalOf, withBoundedBody, withoutZeroBytes, withPublicOrigin } from './requests.ts'

export { openShop } from './open-shop.ts'
export { endedSessions, findUserOf }

export type App = (request: Request, client?: { address: string }) => Promise<Response>

export function createApp(shop: Shop, mode: 'production' | 'development' = 'production'): App {
  const handle = createRequestHandler(build, mode)

  async function answer(incoming: Request, client: { address: string }): Promise<Response> {
    const refusal = refusalOf(incoming, shop.publicUrl)
    if (refusal) return refused(refusal.status, refusal.text)
    const bounded = await withBoundedBody(incoming)
    if (!bounded) return refused(413, 'That is more than the shop takes at once.')
    const request = withPublicOrigin(withoutZeroBytes(bounded), shop.publicUrl)
    const page: Page = {
      nonce: mode === 'production' ? randomBytes(16).toString('base64') : null,
      origin: originOf(request, shop.publicUrl),
      clientAddress: client.address,
      theme: readTheme(request),
      cookies: [],
    }
    const context = new RouterContextProvider()
    context.set(shopContext, shop)
    context.set(pageContext, page)
    context.set(userContext, await findUserOf(shop, request.headers, page.cookies))
    const response = await handle(request, context)
    const answered = new Response(response.body, response)
    for (const cookie of page.cookies) answered.headers.append('Set-Cookie', cookie)
    guardHeaders(answered.headers, { nonce: page.nonce, isSecure: page.origin.startsWith('https:') })
    return answered
  }

  const refused = (status: number, text: string) =>
    guarded(plainPage(status, text, status === 405 ? { Allow: 'GET, HEAD, POST' } : {}), shop.publicUrl)

  return async (incoming, client = { address: '127.0.0.1' }) => {
    try {
      return await answer(incoming, client)
    } catch (error) {
      shop.log.error('a request failed before its route', error)
      return refused(500, 'A knot came loose')
    }
  }
}
