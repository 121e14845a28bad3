/** The whole shop as one function: Request in, Response out. Tests call it, servers serve it. */
import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider, type ServerBuild, type ServerInstrumentation } from 'react-router'
import * as built from 'virtual:react-router/server-build'
import { endedSessions, findUserOf } from '#app/features/accounts/sessions.server.ts'
import { listMostOrdered } from '#app/features/catalog/items.server.ts'
import { hostOnly } from '#app/platform/cookies.server.ts'
import { pageContext, shopContext, userContext, type Page, type Shop, type User } from '#app/platform/context.ts'
import { isOutageMet, notingLog, outageTexts, RETRY_AFTER, watchingOutages } from '#app/platform/outage.server.ts'
import { duringVisit, type Visit } from '#app/platform/visit.server.ts'
import { textOf, withText } from '#app/platform/whole-text.server.ts'
import { guarded, guardHeaders } from './headers.ts'
import { openLargeBodies } from './large-bodies.ts'
import { tellingOutages } from './outages.ts'
import { openOwnPages } from './own-pages.ts'
import { plainPage } from './plain-page.ts'
import { routePattern } from './route-pattern.ts'
import { mayBeLarge, originOf, readTheme, refusalOf, withBoundedBody, withoutZeroBytes, withPublicOrigin } from './requests.ts'

export { openShop } from './open-shop.ts'
export { countWork } from '#app/features/status/work.server.ts'
export { openReady } from './ready.ts'
export { routeWatcher } from './route-pattern.ts'
export { endedSessions, findUserOf }
/** For the pages kept ready (039). */
export const readRanking = async ({ db }: Pick<Shop, 'db'>): Promise<string> =>
  JSON.stringify((await listMostOrdered(db)).map(({ id }) => id))

const BROKEN = 'A knot came loose'

/** `client`: who asks; which route it was is told in it afterwards. */
export type App = (request: Request, client?: Visit) => Promise<Response>

/** `watchers`: whoever measures or follows requests inside the router (046). */
export function createApp(opened: Shop, mode: 'production' | 'development' = 'production', watchers: ServerInstrumentation[] = []): App {
  // The same shop, with a log that notes outages.
  const shop: Shop = Object.create(opened, { log: { value: notingLog(opened.log), enumerable: true } })
  const handle = createRequestHandler(watchedBy(watchers, tellingOutages(built)), mode)
  const inTurn = openLargeBodies()
  const own = openOwnPages(shop)

  async function answer(incoming: Request, client: Visit): Promise<Response> {
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
    const take = () => own.answer({ request: incoming, page, user }, () => answerFor(incoming, page, user))
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
    const text = await wholeText(response)
    const { status } = response
    const answered =
      text === undefined ? new Response(response.body, response) : withText(new Response(text, { status, headers: response.headers }), text)
    const isSecure = page.origin.startsWith('https:')
    for (const cookie of page.cookies) answered.headers.append('Set-Cookie', isSecure ? hostOnly(cookie) : cookie)
    if ([429, 503].includes(answered.status) && page.retryAfter) answered.headers.set('Retry-After', String(page.retryAfter))
    // A cookie is one person's; a cache on the way that kept the answer would hand it to the next.
    const caching = answered.headers.get('Cache-Control')
    if (caching && answered.headers.has('Set-Cookie')) answered.headers.set('Cache-Control', caching.replace(/\bpublic\b/, 'private'))
    guardHeaders(answered.headers, { nonce: page.nonce, isSecure })
    return answered
  }

  /** Data that the router has only as a stream are whole already too: nothing that the shop's loaders give comes later. */
  const wholeText = async (response: Response): Promise<string | undefined> =>
    textOf(response) ?? (response.headers.get('Content-Type') === 'text/x-script' && response.body ? response.text() : undefined)

  const refused = (incoming: Request, status: number, text: string) => {
    const headers: Record<string, string> = status === 405 ? { Allow: 'GET, HEAD, POST' } : {}
    if (status === 503) Object.assign(headers, { 'Retry-After': String(RETRY_AFTER), 'Cache-Control': 'no-store' })
    const isWorthAnotherTry = status === 503 && incoming.method === 'GET'
    return guarded(plainPage(status, text, { theme: readTheme(incoming), headers, isWorthAnotherTry }), shop.publicUrl)
  }

  /** S-262: what failed since the machine cannot do it for a while says so. */
  function duringOutage(incoming: Request, response: Response): Response {
    if (response.status !== 500 && response.status !== 503) {
      // Something of it may be missing.
      response.headers.set('Cache-Control', 'no-store')
      return response
    }
    // The router's way to ask for a page's data: answered like this, it waits and goes on by itself (app/platform/patient-fetch.ts).
    if (incoming.method === 'GET' && new URL(incoming.url).pathname.endsWith('.data')) return refused(incoming, 503, outageTexts.read)
    if (response.headers.has('Retry-After')) return response
    const answered = new Response(response.body, { status: 503, headers: response.headers })
    answered.headers.set('Retry-After', String(RETRY_AFTER))
    answered.headers.set('Cache-Control', 'no-store')
    return answered
  }

  return async (incoming, client = { address: '127.0.0.1' }) => {
    client.findRoute = () => routePattern(incoming)
    const watched = () =>
      watchingOutages(() =>
        answer(incoming, client).catch((error: unknown) => {
          shop.log.error('a request failed before its route', error)
          const text = incoming.method === 'POST' ? outageTexts.write : outageTexts.read
          return isOutageMet() ? refused(incoming, 503, text) : refused(incoming, 500, BROKEN)
        }),
      )
    const { result, isMet } = await duringVisit(client, watched)
    const response = isMet ? duringOutage(incoming, result) : result
    if (client.requestId) response.headers.set('X-Request-Id', client.requestId)
    return response
  }
}

const watchedBy = (watchers: ServerInstrumentation[], build: ServerBuild): ServerBuild =>
  watchers.length === 0 ? build : { ...build, entry: { ...build.entry, module: { ...build.entry.module, instrumentations: watchers } } }
