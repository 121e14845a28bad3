/** Defines the middleware of the production server in the order in which requests pass through it. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { ClientAddressOf } from '#app/lib/http/client-address.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { readForResponse } from '#app/lib/storage/storage.server.ts'
import { contentTypeOf } from '#app/lib/images/content-type.ts'
import { isPublicImagePath } from '#app/services/image-paths.ts'
import { createStaticFiles } from '../cache/static-files.ts'
import type { PageCache } from '../cache/page-cache.ts'
import type { RequestHandler } from '../request-handler.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { compressResponse } from './compression.ts'
import type { HttpEnvironment, Middleware } from './environment.ts'
import { fallbackPage } from './fallback-page.ts'
import { hasSingleHost } from './request-validation.ts'
import { withSecurityHeaders } from './security-headers.ts'

type Options = {
  handler: RequestHandler
  clientFolder: string
  services: Pick<AppServices, 'publicUrl' | 'storage' | 'log'>
  clientAddressOf: ClientAddressOf
  isReady: () => Promise<boolean>
  closeConnection?: (outgoing: ServerResponse) => void
  shedLoad?: Middleware
  pageCache?: Pick<PageCache, 'send' | 'joinRendering' | 'render'>
  telemetry?: Pick<Telemetry, 'observe' | 'requestIdOf' | 'readMetrics'>
}

const IMAGES = '/pictures/'
const pass: Middleware = (_c, next) => next()
const noCache: NonNullable<Options['pageCache']> = {
  send: () => false,
  joinRendering: pass,
  render: pass,
}

/** Creates the server's request listener. Only tests omit the optional parts. */
export function createHttpApp({
  handler,
  clientFolder,
  services,
  clientAddressOf,
  isReady,
  ...parts
}: Options): RequestListener {
  const { closeConnection, shedLoad = pass, pageCache = noCache, telemetry } = parts
  const { publicUrl } = services
  const refusal = (status: number, text: string) =>
    withSecurityHeaders(fallbackPage(status, text), publicUrl)
  const plain = (text: string, status = 200) =>
    withSecurityHeaders(new Response(text, { status }), publicUrl)
  const refuseInvalidRequest = () => refusal(400, 'This address is not valid.')

  const staticFiles = createStaticFiles(clientFolder, publicUrl)

  const app = new Hono<HttpEnvironment>()
  app.use(async (c, next) => {
    telemetry?.observe(c.env.incoming, c.env.outgoing, () => c.get('visit'))
    return next()
  })
  app.use(async (c, next) => (hasSingleHost(c.env.incoming) ? next() : refuseInvalidRequest()))

  // /health succeeds while the process runs. /ready succeeds while the shop can serve requests.
  app.get('/health', () => plain('ok'))
  app.get('/ready', async () => ((await isReady()) ? plain('ready') : plain('not now', 503)))
  app.get('/metrics', async (c) => {
    const metrics = await telemetry?.readMetrics(c.env.incoming)
    return metrics
      ? withSecurityHeaders(metrics, publicUrl)
      : refusal(404, 'This page does not exist.')
  })

  app.use(staticFiles.load)
  // A page of an earlier build may request an asset that no longer exists. The response is 404, and not the redirect for unknown pages.
  app.all('/assets/*', () => refusal(404, 'This file no longer exists.'))

  app.use(pageCache.joinRendering)
  app.use(async (c, next) => {
    const { incoming } = c.env
    c.set('visit', {
      address: addressOf(incoming),
      closeIfReceiving: () => !incoming.complete && Boolean(incoming.socket.destroy()),
    })
    return next()
  })
  app.use(shedLoad)
  app.use(pageCache.render)
  app.use(`${IMAGES}*`, serveImages(services))
  app.all('*', async (c) => {
    const visit = c.get('visit')
    if (telemetry) visit.requestId = telemetry.requestIdOf(c.env.incoming)
    return compressResponse(await handler(c.req.raw, visit), c.req.header('accept-encoding'))
  })
  app.onError((error) => {
    services.log.error('a request failed outside its route', error)
    return refusal(500, 'Something went wrong')
  })
  // `refuseInvalidRequest` responds to a request that cannot be parsed, for example because its Host header is invalid.
  const chain = getRequestListener(app.fetch, { errorHandler: refuseInvalidRequest })

  /** Sends cached responses without the middleware, because creating a Request object for the middleware costs more than sending the response. */
  return (incoming, outgoing) => {
    closeConnection?.(outgoing)
    const isSent =
      hasSingleHost(incoming) &&
      (staticFiles.send(incoming, outgoing) || pageCache.send(incoming, outgoing))
    if (isSent) telemetry?.observe(incoming, outgoing, () => undefined)
    else void chain(incoming, outgoing)
  }

  function addressOf({ socket, headers }: IncomingMessage): string {
    return clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString())
  }
}

/** Serves images without React Router, which would cost several times as much as reading the file. If an image is missing, the image route of React Router responds. */
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
    // Browsers may cache an image forever, because the bytes of a path never change.
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
