import type { RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { ClientAddressOf } from '#lib/http/client-address.server.ts'
import type { AppServices } from '#services/context.ts'
import { readForResponse } from '#lib/storage/storage.server.ts'
import { contentTypeOf } from '#lib/images/content-type.ts'
import { isPublicImagePath } from '#services/image-paths.ts'
import { createStaticFiles } from '../cache/static-files.ts'
import type { PageCache } from '../cache/page-cache.ts'
import type { RequestHandler } from '../request-handler.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { compressResponse } from './compression.ts'
import type { HttpEnvironment, Middleware } from './environment.ts'
import { fallbackPage } from './fallback-page.ts'
import { hasSingleHost } from './request-validation.ts'
import { withSecurityHeaders } from './security-headers.ts'

type HttpAppOptions = {
  handler: RequestHandler
  clientFolder: string
  services: Pick<AppServices, 'publicUrl' | 'storage' | 'log'>
  clientAddressOf: ClientAddressOf
  isReady: () => Promise<boolean>
  closeConnection: (outgoing: ServerResponse) => void
  shedLoad: Middleware
  pageCache: Pick<PageCache, 'send' | 'joinRendering' | 'render'>
  telemetry: Pick<Telemetry, 'observe' | 'requestIdOf' | 'readMetrics'>
}

const IMAGES = '/pictures/'

export function createHttpApp({
  handler,
  clientFolder,
  services,
  clientAddressOf,
  isReady,
  closeConnection,
  shedLoad,
  pageCache,
  telemetry,
}: HttpAppOptions): RequestListener {
  const { publicUrl } = services
  const refusal = (status: number, text: string) =>
    withSecurityHeaders(fallbackPage(status, text), publicUrl)
  const plain = (text: string, status = 200) =>
    withSecurityHeaders(new Response(text, { status }), publicUrl)
  const refuseInvalidRequest = () => refusal(400, 'This address is not valid.')

  const staticFiles = createStaticFiles(clientFolder, publicUrl)
  const app = new Hono<HttpEnvironment>()
  app.use(async (c, next) => {
    telemetry.observe(c.env.incoming, c.env.outgoing, () => c.get('visit'))
    return next()
  })
  app.use(async (c, next) => (hasSingleHost(c.env.incoming) ? next() : refuseInvalidRequest()))

  app.get('/health', () => plain('ok'))
  app.get('/ready', async () => ((await isReady()) ? plain('ready') : plain('not now', 503)))
  app.get('/metrics', async (c) => {
    const metrics = await telemetry.readMetrics(c.env.incoming)
    return metrics
      ? withSecurityHeaders(metrics, publicUrl)
      : refusal(404, 'This page does not exist.')
  })

  app.use(staticFiles.load)
  app.all('/assets/*', () => refusal(404, 'This file no longer exists.'))

  app.use(pageCache.joinRendering)
  app.use(async (c, next) => {
    const { socket, headers } = c.env.incoming
    const forwardedFor = headers['x-forwarded-for']?.toString()
    c.set('visit', { address: clientAddressOf(socket.remoteAddress, forwardedFor) })
    return next()
  })
  app.use(shedLoad)
  app.use(pageCache.render)
  app.use(`${IMAGES}*`, serveImages(services))
  app.all('*', async (c) => {
    const visit = c.get('visit')
    visit.requestId = telemetry.requestIdOf(c.env.incoming)
    return compressResponse(await handler(c.req.raw, visit), c.req.header('accept-encoding'))
  })
  app.onError((error) => {
    services.log.error('a request failed outside its route', error)
    return refusal(500, 'Something went wrong')
  })
  const chain = getRequestListener(app.fetch, { errorHandler: refuseInvalidRequest })

  return (incoming, outgoing) => {
    closeConnection(outgoing)
    const isSent =
      hasSingleHost(incoming) &&
      (staticFiles.send(incoming, outgoing) || pageCache.send(incoming, outgoing))
    if (isSent) telemetry.observe(incoming, outgoing, () => undefined)
    else void chain(incoming, outgoing)
  }
}

/** Is several times faster than the image route, which handles missing files. */
function serveImages({
  storage,
  publicUrl,
}: Pick<AppServices, 'storage' | 'publicUrl'>): Middleware {
  return async (c, next) => {
    const { method, url = '' } = c.env.incoming
    const path = url.slice(IMAGES.length)
    const type = url.startsWith(IMAGES) && isPublicImagePath(path) ? contentTypeOf(path) : null
    if (type === null || (method !== 'GET' && method !== 'HEAD')) return next()
    const file = await readForResponse(storage, path).catch(() => null)
    if (!file) return next()
    const headers = {
      'Content-Type': type,
      'Content-Length': String(file.size),
      'Cache-Control': 'public, max-age=31536000, immutable',
    }
    return withSecurityHeaders(
      new Response(method === 'HEAD' ? null : file.body, { headers }),
      publicUrl,
    )
  }
}
