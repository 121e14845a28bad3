import { randomBytes } from 'node:crypto'
import {
  createRequestHandler as createRouterHandler,
  data,
  matchRoutes,
  RouterContextProvider,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type RouteObject,
} from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { findSessionUser } from '#auth/sessions.server.ts'
import { limitSending } from '#services/rate-limits.server.ts'
import { withRegionalSettings } from '#settings/settings.server.ts'
import { withHostPrefix } from '#lib/http/cookies.server.ts'
import {
  requestInfoContext,
  appContext,
  userContext,
  type RequestInfo,
  type AppServices,
  type User,
} from '#services/context.ts'
import {
  detectOutages,
  logWithOutageDetection,
  outageTexts,
  recordOutage,
  RETRY_AFTER_SECONDS,
  sawOutage,
} from '#lib/telemetry/outages.server.ts'
import {
  runWithRequestContext,
  type RequestContext,
} from '#lib/telemetry/request-context.server.ts'
import { createAddressLimit } from './http/address-limit.ts'
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

/** So many uploads take up to 192 MB of memory. The owner's uploads come in addition. */
const MAX_UPLOADS = 16
export const MAX_UPLOADS_PER_IP = 8
const ERROR_TITLE = 'Something went wrong'
const RETRY_LATER = { 'Retry-After': String(RETRY_AFTER_SECONDS), 'Cache-Control': 'no-store' }

export type RequestHandler = (request: Request, visit?: RequestContext) => Promise<Response>

export function createRequestHandler(
  shared: AppServices,
  mode: 'production' | 'development' = 'production',
): RequestHandler {
  const services = { ...shared, log: logWithOutageDetection(shared.log) }
  const { publicUrl } = services
  const handle = createRouterHandler({ ...build, routes: routesWithOutageResponses() }, mode)
  const uploads = createAddressLimit({ perAddress: MAX_UPLOADS_PER_IP, total: MAX_UPLOADS })

  async function answer(incoming: Request, visit: RequestContext) {
    const rejection = rejectRequest(incoming, publicUrl)
    if (rejection) return refuse(incoming, rejection, publicUrl)
    visit.findRoute = () => routePattern(incoming)
    const info: RequestInfo = {
      nonce: mode === 'production' ? randomBytes(16).toString('base64') : null,
      origin: originOf(incoming, publicUrl),
      clientAddress: visit.address,
      theme: readTheme(incoming),
      responseCookies: [],
    }
    const user = await findSessionUser(services, incoming.headers, info.responseCookies)
    if (user?.role === 'owner' || !isLargeBody(incoming)) return route(incoming, info, user)
    const limit = await limitSending({ app: services, info }, 'large-body', user?.id ?? '')
    if (limit) {
      const refusal = refuse(incoming, { status: 429, text: limit.error }, publicUrl)
      refusal.headers.set('Retry-After', String(info.retryAfter))
      return refusal
    }
    if (!uploads.tryAdd(visit.address)) {
      return refuse(incoming, { status: 503, text: outageTexts.write }, publicUrl)
    }
    try {
      return await route(incoming, info, user)
    } finally {
      uploads.release(visit.address)
    }
  }

  async function route(incoming: Request, info: RequestInfo, user: User | null) {
    const bounded = await limitBody(incoming, user?.role ?? null)
    if (!bounded) return refuse(incoming, TOO_LARGE, publicUrl)
    const context = new RouterContextProvider()
    // If the settings cannot be read, the page itself reports the outage. [ERR-01]
    context.set(appContext, await withRegionalSettings(services).catch(() => services))
    context.set(requestInfoContext, info)
    context.set(userContext, user)
    const response = await handle(withPublicOrigin(stripNullBytes(bounded), publicUrl), context)
    // React Router answers with plain text if rendering fails.
    if (response.status === 500 && response.headers.get('Content-Type') === 'text/plain') {
      return refuse(incoming, { status: 500, text: ERROR_TITLE }, publicUrl)
    }
    setResponseHeaders(response, info)
    return response
  }

  return async (incoming, visit = { address: '127.0.0.1' }) => {
    const { result, isMet } = await runWithRequestContext(visit, () =>
      detectOutages(() =>
        answer(incoming, visit).catch((error: unknown) => {
          services.log.error('a request failed before its route', error)
          const text = incoming.method === 'POST' ? outageTexts.write : outageTexts.read
          const refusal = sawOutage() ? { status: 503, text } : { status: 500, text: ERROR_TITLE }
          return refuse(incoming, refusal, publicUrl)
        }),
      ),
    )
    const response = isMet ? duringOutage(incoming, result, publicUrl) : result
    if (visit.requestId) response.headers.set('X-Request-Id', visit.requestId)
    return response
  }
}

function setResponseHeaders({ status, headers }: Response, info: RequestInfo) {
  const isSecure = info.origin.startsWith('https:')
  for (const cookie of info.responseCookies) {
    headers.append('Set-Cookie', isSecure ? withHostPrefix(cookie) : cookie)
  }
  if ([429, 503].includes(status) && info.retryAfter) {
    headers.set('Retry-After', String(info.retryAfter))
  }
  // A shared cache must not store a cookie.
  const caching = headers.get('Cache-Control')
  if (caching && headers.has('Set-Cookie')) {
    headers.set('Cache-Control', caching.replace(/\bpublic\b/, 'private'))
  }
  setSecurityHeaders(headers, { nonce: info.nonce, isSecure })
}

function refuse(
  incoming: Request,
  { status, text }: { status: number; text: string },
  publicUrl: string | null,
) {
  const page = fallbackPage(status, text, {
    theme: readTheme(incoming),
    headers: {
      ...(status === 405 && { Allow: 'GET, HEAD, POST' }),
      ...(status === 503 && RETRY_LATER),
    },
    offerRetry: status === 503 && incoming.method === 'GET',
  })
  return withSecurityHeaders(page, publicUrl)
}

/** A failure becomes the status 503, which no cache stores. [S-262] */
function duringOutage(incoming: Request, response: Response, publicUrl: string | null) {
  const { status, headers } = response
  if (status !== 500 && status !== 503) {
    headers.set('Cache-Control', 'no-store')
    return response
  }
  if (incoming.method === 'GET' && new URL(incoming.url).pathname.endsWith('.data')) {
    return refuse(incoming, { status: 503, text: outageTexts.read }, publicUrl)
  }
  if (headers.has('Retry-After')) return response
  for (const [name, value] of Object.entries(RETRY_LATER)) headers.set(name, value)
  return new Response(response.body, { status: 503, headers })
}

function routesWithOutageResponses() {
  const routes: typeof build.routes = {}
  for (const [id, route] of Object.entries(build.routes)) {
    if (!route) continue
    const { loader, action } = route.module
    const module = {
      ...route.module,
      ...(loader && { loader: withOutageResponse(outageTexts.read, loader) }),
      ...(action && { action: withOutageResponse(outageTexts.write, action) }),
    }
    routes[id] = { ...route, module }
  }
  return routes
}

function withOutageResponse<Args extends LoaderFunctionArgs | ActionFunctionArgs, Result>(
  text: string,
  work: (args: Args) => Result,
) {
  return async (args: Args) => {
    try {
      return await work(args)
    } catch (error) {
      recordOutage(error)
      if (!(error instanceof Error) || !sawOutage()) throw error
      args.context.get(appContext).log.error('a request failed because of an outage', error)
      throw data(text, { status: 503 })
    }
  }
}

let routeTree: RouteObject[] | undefined

function routePattern(request: Request) {
  routeTree ??= childrenOf(undefined)
  const path =
    new URL(request.url).pathname.replace(/^\/_root\.data$/, '/').replace(/\/?_?\.data$/, '') || '/'
  return matchRoutes(routeTree, path)
    ?.map(({ route }) => route.path ?? '')
    .join('/')
    .replace(/^\/*|\/{2,}/g, '/')
}

const childrenOf = (parent: string | undefined): RouteObject[] =>
  Object.values(build.routes)
    .filter((route) => route!.parentId === parent)
    .map((route) => {
      const { id, index, path } = route!
      return index ? { id, index } : { id, path, children: childrenOf(id) }
    })
