/** What answers HTTP in production, from top to bottom: each middleware answers, refuses, or hands the request to the next one. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { ClientAddressOf } from '#app/platform/client-address.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { isShownPath, pictureTypeOf } from '#app/platform/picture-types.ts'
import { createStaticFiles } from '../cache/static-files.ts'
import type { PageCache } from '../cache/page-cache.ts'
import type { RequestHandler } from '../request-handler.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { compressResponse } from './compression.ts'
import type { Environment, Middleware } from './environment.ts'
import { fallbackPage } from './fallback-page.ts'
import { hasSingleHost } from './request-validation.ts'
import { withSecurityHeaders } from './security-headers.ts'

type Options = {
  handler: RequestHandler
  clientFolder: string
  shop: Pick<Shop, 'publicUrl' | 'files' | 'log'>
  clientAddressOf: ClientAddressOf
  isReady: () => Promise<boolean>
  closeConnection?: (outgoing: ServerResponse) => void
  shedLoad?: Middleware
  pageCache?: Pick<PageCache, 'send' | 'join' | 'render'>
  telemetry?: Pick<Telemetry, 'observe' | 'requestIdOf' | 'readMetrics'>
}

const IMAGES = '/pictures/'
const pass: Middleware = (_c, next) => next()
const noCache: NonNullable<Options['pageCache']> = { send: () => false, join: pass, render: pass }

/** Tests leave out the optional parts that they are not about. */
export function createHttpApp({ handler, clientFolder, shop, clientAddressOf, isReady, ...parts }: Options): RequestListener {
  const { closeConnection, shedLoad = pass, pageCache = noCache, telemetry } = parts
  const { publicUrl } = shop
  const refusal = (status: number, text: string) => withSecurityHeaders(fallbackPage(status, text), publicUrl)
  const plain = (text: string, status = 200) => withSecurityHeaders(new Response(text, { status }), publicUrl)
  const unreadable = () => refusal(400, 'This address could not be read.')

  const staticFiles = createStaticFiles(clientFolder, publicUrl)

  const app = new Hono<Environment>()
  app.use(async (c, next) => {
    telemetry?.observe(c.env.incoming, c.env.outgoing, () => c.get('visit'))
    return next()
  })
  app.use(async (c, next) => (hasSingleHost(c.env.incoming) ? next() : unreadable()))

  // /health: the process answers. /ready: it may be sent requests (decision 046).
  app.get('/health', () => plain('ok'))
  app.get('/ready', async () => ((await isReady()) ? plain('ready') : plain('not now', 503)))
  app.get('/metrics', async (c) => {
    const metrics = await telemetry?.readMetrics(c.env.incoming)
    return metrics ? withSecurityHeaders(metrics, publicUrl) : refusal(404, 'There is nothing here.')
  })

  app.use(staticFiles.load)
  // A page that was open while a newer build came asks for scripts that are gone: no page may be sent in their place.
  app.all('/assets/*', () => refusal(404, 'This file is not here any more.'))

  app.use(pageCache.join)
  app.use(async (c, next) => {
    c.set('visit', { address: addressOf(c.env.incoming) })
    return next()
  })
  app.use(shedLoad)
  app.use(pageCache.render)
  app.use(`${IMAGES}*`, serveImages(shop))
  app.all('*', async (c) => {
    const visit = c.get('visit')
    if (telemetry) visit.requestId = telemetry.requestIdOf(c.env.incoming)
    return compressResponse(await handler(c.req.raw, visit), c.req.header('accept-encoding'))
  })
  app.onError((error) => {
    shop.log.error('a request failed outside its route', error)
    return refusal(500, 'A knot came loose')
  })
  // A request that cannot even be parsed: a senseless Host, a path that is none.
  const chain = getRequestListener(app.fetch, { errorHandler: unreadable })

  /** What is ready goes out before the chain, whose Request object costs more than the sending. */
  return (incoming, outgoing) => {
    closeConnection?.(outgoing)
    const isSent = hasSingleHost(incoming) && (staticFiles.send(incoming, outgoing) || pageCache.send(incoming, outgoing))
    if (isSent) telemetry?.observe(incoming, outgoing, () => undefined)
    else void chain(incoming, outgoing)
  }

  function addressOf({ socket, headers }: IncomingMessage): string {
    return clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString())
  }
}

/** Without the router, whose way costs several times the reading (050). What is missing or fails is left to the route. */
function serveImages({ files, publicUrl }: Pick<Shop, 'files' | 'publicUrl'>): Middleware {
  return async (c, next) => {
    const { method, url = '' } = c.env.incoming
    const path = url.slice(IMAGES.length)
    const type = url.startsWith(IMAGES) && isShownPath(path) ? pictureTypeOf(path) : null
    if (type === null || (method !== 'GET' && method !== 'HEAD')) return next()
    const bytes = await files.read(path).catch(() => null)
    if (!bytes) return next()
    // The address of a picture never means another picture.
    const headers = { 'Content-Type': type, 'Content-Length': String(bytes.length), 'Cache-Control': 'public, max-age=31536000, immutable' }
    return withSecurityHeaders(new Response(method === 'HEAD' ? null : bytes, { headers }), publicUrl)
  }
}
