/** What production serves: static files, the health of the shop, and every page; all of it behind the same headers. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { ClientAddressOf } from '../app/platform/client-address.server.ts'
import type { Visit } from '../app/platform/visit.server.ts'
import { sheetOf } from '../app/platform/whole-text.server.ts'
import type { App } from './app.ts'
import { guarded } from './headers.ts'
import { packed } from './packed.ts'
import { plainPage } from './plain-page.ts'
import { isReadableAddress, namesOneHost } from './requests.ts'

const UNREADABLE = 'This address could not be read.'

type Parts = {
  app: App
  /** folder of the files that the build made for browsers */
  client: string
  publicUrl: string | null
  clientAddressOf: ClientAddressOf
  /** whether the shop may be sent requests: its database and its disk are there, and it is not about to stop */
  isWell: () => Promise<boolean>
  /** the figures, for whoever may see them; null: there is nothing here */
  metrics?: (incoming: IncomingMessage) => Promise<Response | null>
  /** who asks, for measuring it; unset: nobody measures */
  visitOf?: (incoming: IncomingMessage, address: string) => Visit
}

export function openWeb({ app, client, publicUrl, clientAddressOf, isWell, metrics, visitOf = plainVisit }: Parts): RequestListener {
  const web = new Hono<{ Bindings: HttpBindings }>()
  const broken = (status: number, text: string) => guarded(plainPage(status, text), publicUrl)
  web.use(async (c, next) => (namesOneHost(c.env.incoming) ? next() : broken(400, UNREADABLE)))
  // 046: /health is whether the process answers, /ready whether it should be asked.
  web.get('/health', () => guarded(new Response('ok'), publicUrl))
  web.get('/ready', async () => {
    const isFine = await isWell()
    return guarded(new Response(isFine ? 'ready' : 'not now', { status: isFine ? 200 : 503 }), publicUrl)
  })
  web.get('/metrics', async (c) => {
    const told = await metrics?.(c.env.incoming)
    return told ? guarded(told, publicUrl) : broken(404, 'There is nothing here.')
  })
  // Before the files too: what the build has not packed shrinks to a third.
  web.use(compress())
  for (const [path, maxAge] of [
    ['/assets/*', 'public, max-age=31536000, immutable'],
    ['*', 'public, max-age=3600'],
  ] as const) {
    const files = serveStatic<{ Bindings: HttpBindings }>({
      root: client,
      precompressed: true,
      onFound: (_path, c) => c.header('Cache-Control', maxAge),
    })
    web.on(['GET', 'HEAD'], path, async (c, next) => {
      if (!isReadableAddress(c.req.url)) return next()
      const file = await files(c, async () => {})
      return file ? guarded(file, publicUrl) : next()
    })
  }
  // A page that was open while a newer build came asks for scripts that are gone: no page may be sent in their place.
  web.all('/assets/*', () => broken(404, 'This file is not here any more.'))
  web.all('*', async (c) => {
    const { incoming } = c.env
    const visit = visitOf(incoming, clientAddressOf(incoming.socket.remoteAddress, c.req.header('x-forwarded-for')))
    const response = await app(c.req.raw, visit)
    const kept = sheetOf(response)
    return kept === undefined ? response : packed(kept, response, c.req.header('accept-encoding'))
  })
  web.onError(() => broken(500, 'A knot came loose'))
  // What cannot even become a request: a senseless Host, a path that is none.
  return getRequestListener(web.fetch, { errorHandler: () => broken(400, UNREADABLE) })
}

const plainVisit = (_incoming: IncomingMessage, address: string): Visit => ({ address })
