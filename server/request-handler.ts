/** The application as one function: Request in, Response out. Tests call it directly; in production http/app.ts calls it last. */
import { randomBytes } from 'node:crypto'
import {
  createRequestHandler as createRouterHandler,
  matchRoutes,
  RouterContextProvider,
  type RouteObject,
  type ServerBuild,
  type ServerInstrumentation,
} from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { findUserOf } from '#app/features/auth/sessions.server.ts'
import { hostOnly } from '#app/platform/cookies.server.ts'
import { pageContext, shopContext, userContext, type Page, type Shop, type User } from '#app/platform/context.ts'
import { isOutageMet, notingLog, outageTexts, RETRY_AFTER, watchingOutages } from '#app/platform/outage.server.ts'
import { duringVisit, type Visit } from '#app/platform/visit.server.ts'
import { fallbackPage } from './http/fallback-page.ts'
import { isLargeBody, limitBody, originOf, readTheme, rejectRequest, stripNullBytes, withPublicOrigin } from './http/request-validation.ts'
import { setSecurityHeaders, withSecurityHeaders } from './http/security-headers.ts'
import { createUploadQueue } from './http/upload-queue.ts'
import { wrapRoutesWithOutageHandling } from './telemetry/outage-responses.ts'

const BROKEN = 'A knot came loose'

export type RequestHandler = (request: Request, visit?: Visit) => Promise<Response>

export function createRequestHandler(
  services: Shop,
  mode: 'production' | 'development' = 'production',
  instrumentations: ServerInstrumentation[] = [],
): RequestHandler {
  // The same services, with a log that notes outages.
  const shop: Shop = Object.create(services, { log: { value: notingLog(services.log), enumerable: true } })
  const handle = createRouterHandler(instrumented(wrapRoutesWithOutageHandling(build), instrumentations), mode)
  const uploads = createUploadQueue()

  async function answer(incoming: Request, visit: Visit): Promise<Response> {
    const rejection = rejectRequest(incoming, shop.publicUrl)
    if (rejection) return refuse(incoming, rejection.status, rejection.text)
    visit.findRoute = () => routePattern(incoming)
    const page: Page = {
      nonce: mode === 'production' ? randomBytes(16).toString('base64') : null,
      origin: originOf(incoming, shop.publicUrl),
      clientAddress: visit.address,
      theme: readTheme(incoming),
      cookies: [],
    }
    const user = await findUserOf(shop, incoming.headers, page.cookies)
    if (user?.role === 'admin' || !isLargeBody(incoming)) return route(incoming, page, user)
    const response = await uploads.run(visit.address, incoming.signal, () => route(incoming, page, user))
    return response ?? refuse(incoming, 503, outageTexts.write)
  }

  async function route(incoming: Request, page: Page, user: User | null): Promise<Response> {
    const bounded = await limitBody(incoming, user?.role ?? null)
    if (!bounded) return refuse(incoming, 413, 'That is more than the shop takes at once.')
    const context = new RouterContextProvider()
    context.set(shopContext, shop)
    context.set(pageContext, page)
    context.set(userContext, user)
    const response = await handle(withPublicOrigin(stripNullBytes(bounded), shop.publicUrl), context)
    const { headers, status } = response
    // The router's last resort, as bare text, when a form without JavaScript or the page itself broke.
    if (status === 500 && headers.get('Content-Type') === 'text/plain') return refuse(incoming, 500, BROKEN)
    const isSecure = page.origin.startsWith('https:')
    for (const cookie of page.cookies) headers.append('Set-Cookie', isSecure ? hostOnly(cookie) : cookie)
    if ([429, 503].includes(status) && page.retryAfter) headers.set('Retry-After', String(page.retryAfter))
    // A cookie belongs to one person; a cache on the way that kept the response would hand it to the next.
    const caching = headers.get('Cache-Control')
    if (caching && headers.has('Set-Cookie')) headers.set('Cache-Control', caching.replace(/\bpublic\b/, 'private'))
    setSecurityHeaders(headers, { nonce: page.nonce, isSecure })
    return response
  }

  function refuse(incoming: Request, status: number, text: string): Response {
    const headers: Record<string, string> = status === 405 ? { Allow: 'GET, HEAD, POST' } : {}
    if (status === 503) Object.assign(headers, { 'Retry-After': String(RETRY_AFTER), 'Cache-Control': 'no-store' })
    const offerRetry = status === 503 && incoming.method === 'GET'
    return withSecurityHeaders(fallbackPage(status, text, { theme: readTheme(incoming), headers, offerRetry }), shop.publicUrl)
  }

  /** What failed because of an outage says so, with 503. [S-262] */
  function duringOutage(incoming: Request, response: Response): Response {
    if (response.status !== 500 && response.status !== 503) {
      response.headers.set('Cache-Control', 'no-store')
      return response
    }
    if (incoming.method === 'GET' && new URL(incoming.url).pathname.endsWith('.data')) return refuse(incoming, 503, outageTexts.read)
    if (response.headers.has('Retry-After')) return response
    const unavailable = new Response(response.body, { status: 503, headers: response.headers })
    unavailable.headers.set('Retry-After', String(RETRY_AFTER))
    unavailable.headers.set('Cache-Control', 'no-store')
    return unavailable
  }

  return async (incoming, visit = { address: '127.0.0.1' }) => {
    const { result, isMet } = await duringVisit(visit, () =>
      watchingOutages(() =>
        answer(incoming, visit).catch((error: unknown) => {
          shop.log.error('a request failed before its route', error)
          const text = incoming.method === 'POST' ? outageTexts.write : outageTexts.read
          return isOutageMet() ? refuse(incoming, 503, text) : refuse(incoming, 500, BROKEN)
        }),
      ),
    )
    const response = isMet ? duringOutage(incoming, result) : result
    if (visit.requestId) response.headers.set('X-Request-Id', visit.requestId)
    return response
  }
}

const instrumented = (own: ServerBuild, instrumentations: ServerInstrumentation[]): ServerBuild => ({
  ...own,
  entry: { ...own.entry, module: { ...own.entry.module, instrumentations } },
})

let tree: RouteObject[] | undefined

const childrenOf = (parent: string | undefined): RouteObject[] =>
  Object.values(build.routes)
    .filter((route) => route!.parentId === parent)
    .map((route) => (route!.index ? { id: route!.id, index: true } : { id: route!.id, path: route!.path, children: childrenOf(route!.id) }))

/** The pattern of app/routes.ts, such as `/item/:itemid`; undefined where there is none. */
function routePattern(request: Request): string | undefined {
  tree ??= childrenOf(undefined)
  // The data of a page belong to its route.
  const path = new URL(request.url).pathname.replace(/^\/_root\.data$/, '/').replace(/\/?_?\.data$/, '') || '/'
  const matches = matchRoutes(tree, path)
  return matches
    ?.map(({ route }) => route.path ?? '')
    .join('/')
    .replace(/^\/*|\/{2,}/g, '/')
}
