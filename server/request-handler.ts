/** Creates the application: one function that returns a Response for a Request. Tests call this function directly. In production, http/app.ts calls it after all middleware. */
import { randomBytes } from 'node:crypto'
import type { RouteObject, ServerBuild, ServerInstrumentation } from 'react-router'
import {
  createRequestHandler as createRouterHandler,
  matchRoutes,
  RouterContextProvider,
} from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { findSessionUser } from '#app/features/auth/sessions.server.ts'
import { hasOwnerWritten } from '#app/features/messaging/conversations.server.ts'
import { withRegionalSettings } from '#app/features/settings/settings.server.ts'
import { withHostPrefix } from '#app/lib/http/cookies.server.ts'
import {
  requestInfoContext,
  appContext,
  userContext,
  type RequestInfo,
  type AppServices,
  type User,
} from '#app/services/context.ts'
import {
  sawOutage,
  logWithOutageDetection,
  outageTexts,
  RETRY_AFTER_SECONDS,
  detectOutages,
} from '#app/lib/telemetry/outages.server.ts'
import {
  runWithRequestContext,
  type RequestContext,
} from '#app/lib/telemetry/request-context.server.ts'
import { fallbackPage } from './http/fallback-page.ts'
import {
  isLargeBody,
  limitBody,
  originOf,
  readTheme,
  rejectRequest,
  stripNullBytes,
  TOO_LARGE,
  withPublicOrigin,
} from './http/request-validation.ts'
import { setSecurityHeaders, withSecurityHeaders } from './http/security-headers.ts'
import { createUploadQueue } from './http/upload-queue.ts'
import { wrapRoutesWithOutageHandling } from './telemetry/outage-responses.ts'

const ERROR_TITLE = 'Something went wrong'

export type RequestHandler = (request: Request, visit?: RequestContext) => Promise<Response>

export function createRequestHandler(
  shared: AppServices,
  mode: 'production' | 'development' = 'production',
  instrumentations: ServerInstrumentation[] = [],
): RequestHandler {
  // During a request, the services use a logger that detects outages.
  const services: AppServices = Object.create(shared, {
    log: { value: logWithOutageDetection(shared.log), enumerable: true },
  })
  const handle = createRouterHandler(
    instrumented(wrapRoutesWithOutageHandling(build), instrumentations),
    mode,
  )
  const [contactUploads, strangerUploads] = [createUploadQueue(), createUploadQueue()]

  async function answer(incoming: Request, visit: RequestContext): Promise<Response> {
    const rejection = rejectRequest(incoming, services.publicUrl)
    if (rejection) return refuse(incoming, rejection.status, rejection.text)
    visit.findRoute = () => routePattern(incoming)
    const info: RequestInfo = {
      nonce: mode === 'production' ? randomBytes(16).toString('base64') : null,
      origin: originOf(incoming, services.publicUrl),
      clientAddress: visit.address,
      theme: readTheme(incoming),
      responseCookies: [],
    }
    const user = await findSessionUser(services, incoming.headers, info.responseCookies)
    if (user?.role === 'admin' || !isLargeBody(incoming)) return route(incoming, info, user)
    // People to whom the owner has written have a queue of their own, so that uploads of strangers do not delay theirs. [S-411]
    const isContact = user !== null && (await hasOwnerWritten(services.db, user.id))
    const [queue, sender] = isContact ? [contactUploads, user.id] : [strangerUploads, visit.address]
    const response = await queue.run({ ...visit, sender, signal: incoming.signal }, () =>
      route(incoming, info, user),
    )
    return response ?? refuse(incoming, 503, outageTexts.write)
  }

  async function route(incoming: Request, info: RequestInfo, user: User | null): Promise<Response> {
    const bounded = await limitBody(incoming, user?.role ?? null)
    if (!bounded) return refuse(incoming, TOO_LARGE.status, TOO_LARGE.text)
    const context = new RouterContextProvider()
    // If the settings cannot be read, the request continues with the default settings, so that the page itself reports the outage. [ERR-01]
    context.set(appContext, await withRegionalSettings(services).catch(() => services))
    context.set(requestInfoContext, info)
    context.set(userContext, user)
    const response = await handle(
      withPublicOrigin(stripNullBytes(bounded), services.publicUrl),
      context,
    )
    const { headers, status } = response
    // If rendering fails, React Router responds with plain text. The visitor gets an error page instead.
    if (status === 500 && headers.get('Content-Type') === 'text/plain')
      return refuse(incoming, 500, ERROR_TITLE)
    const isSecure = info.origin.startsWith('https:')
    for (const cookie of info.responseCookies)
      headers.append('Set-Cookie', isSecure ? withHostPrefix(cookie) : cookie)
    if ([429, 503].includes(status) && info.retryAfter)
      headers.set('Retry-After', String(info.retryAfter))
    // A response with a cookie must not be stored in a shared cache.
    const caching = headers.get('Cache-Control')
    if (caching && headers.has('Set-Cookie'))
      headers.set('Cache-Control', caching.replace(/\bpublic\b/, 'private'))
    setSecurityHeaders(headers, { nonce: info.nonce, isSecure })
    return response
  }

  function refuse(incoming: Request, status: number, text: string): Response {
    const headers: Record<string, string> = status === 405 ? { Allow: 'GET, HEAD, POST' } : {}
    if (status === 503)
      Object.assign(headers, {
        'Retry-After': String(RETRY_AFTER_SECONDS),
        'Cache-Control': 'no-store',
      })
    const offerRetry = status === 503 && incoming.method === 'GET'
    return withSecurityHeaders(
      fallbackPage(status, text, { theme: readTheme(incoming), headers, offerRetry }),
      services.publicUrl,
    )
  }

  /** Changes the response of a request that an outage has affected: a failure becomes status 503, and any other response is not cached. [S-262] */
  function duringOutage(incoming: Request, response: Response): Response {
    if (response.status !== 500 && response.status !== 503) {
      response.headers.set('Cache-Control', 'no-store')
      return response
    }
    if (incoming.method === 'GET' && new URL(incoming.url).pathname.endsWith('.data'))
      return refuse(incoming, 503, outageTexts.read)
    if (response.headers.has('Retry-After')) return response
    const unavailable = new Response(response.body, { status: 503, headers: response.headers })
    unavailable.headers.set('Retry-After', String(RETRY_AFTER_SECONDS))
    unavailable.headers.set('Cache-Control', 'no-store')
    return unavailable
  }

  return async (incoming, visit = { address: '127.0.0.1' }) => {
    const { result, isMet } = await runWithRequestContext(visit, () =>
      detectOutages(() =>
        answer(incoming, visit).catch((error: unknown) => {
          services.log.error('a request failed before its route', error)
          const text = incoming.method === 'POST' ? outageTexts.write : outageTexts.read
          return sawOutage() ? refuse(incoming, 503, text) : refuse(incoming, 500, ERROR_TITLE)
        }),
      ),
    )
    const response = isMet ? duringOutage(incoming, result) : result
    if (visit.requestId) response.headers.set('X-Request-Id', visit.requestId)
    return response
  }
}

const instrumented = (
  own: ServerBuild,
  instrumentations: ServerInstrumentation[],
): ServerBuild => ({
  ...own,
  entry: { ...own.entry, module: { ...own.entry.module, instrumentations } },
})

let tree: RouteObject[] | undefined

const childrenOf = (parent: string | undefined): RouteObject[] =>
  Object.values(build.routes)
    .filter((route) => route!.parentId === parent)
    .map((route) =>
      route!.index
        ? { id: route!.id, index: true }
        : { id: route!.id, path: route!.path, children: childrenOf(route!.id) },
    )

/** Returns the pattern of a request's route in app/routes.ts, such as `/item/:itemid`, or undefined if no route matches. */
function routePattern(request: Request): string | undefined {
  tree ??= childrenOf(undefined)
  // The data URL of a page is converted to the path of the page, because both have the same route.
  const path =
    new URL(request.url).pathname.replace(/^\/_root\.data$/, '/').replace(/\/?_?\.data$/, '') || '/'
  const matches = matchRoutes(tree, path)
  return matches
    ?.map(({ route }) => route.path ?? '')
    .join('/')
    .replace(/^\/*|\/{2,}/g, '/')
}
