/** The production server with its ready pages on a port of its own; its answers are counted, and can be held back. */
import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { createRequestHandler, type RequestHandler } from '#server/request-handler.ts'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import type { CdnSettings } from '#app/platform/env.server.ts'
import { createCdn } from '#server/cache/cdn.ts'
import { createPageCache } from '#server/cache/page-cache.ts'
import { createHttpApp } from '#server/http/app.ts'
import type { Middleware } from '#server/http/environment.ts'
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addColor, addItem } from './sample-catalogue.ts'

export type Got = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string }

export async function openReadyServer({
  publicUrl = null as string | null,
  mostBytes = 8 * 1024 * 1024,
  shedLoad = undefined as Middleware | undefined,
  cdn: cdnSettings = undefined as CdnSettings | undefined,
} = {}) {
  const shop = await openTestShop(publicUrl === null ? {} : { publicUrl })
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addColor(shop.db, 'rust')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900, pictures: [{ colors: ['rust'] }] })
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })
  const own = { ...shop.shop, publicUrl }
  const inner = createRequestHandler(own)
  const clock = { now: 0 }
  /** what the shop itself was asked for, by ready pages and past them */
  const made: Request[] = []
  let hold: Promise<void> | null = null
  const app: RequestHandler = async (asked, client) => {
    made.push(asked)
    const answer = await inner(asked, client)
    if (hold) await hold
    return answer
  }
  const cdn = cdnSettings && createCdn({ settings: cdnSettings, shop: own, settleMs: 20, retryPauseMs: 20 })
  const ready = createPageCache({ handler: app, cdn: cdn ?? null, shop: own, maxBytes: mostBytes, elapsed: () => clock.now })
  const server = createServer(
    createHttpApp({
      handler: app,
      clientFolder: shop.folder,
      shop: own,
      clientAddressOf: openClientAddress(),
      isReady: async () => true,
      pageCache: ready,
      ...(shedLoad && { shedLoad }),
    }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    ready.close()
    cdn?.close()
  })
  const { port } = server.address() as AddressInfo

  async function get(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Got> {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
    asked.end()
    const [answer] = await once(asked, 'response')
    const bytes = await buffer(answer)
    const coding = bytes.length > 0 ? answer.headers['content-encoding'] : undefined
    const text = String(coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes)
    return { status: answer.statusCode, headers: answer.headers, bytes, text }
  }
  return {
    ...shop,
    ready,
    cdn,
    made,
    port,
    get,
    /** milliseconds for which pages are kept */
    elapsed: clock,
    /** Until the given function is called, whatever the shop has made does not get out. */
    holdBack: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      hold = promise
      return () => {
        hold = null
        resolve()
      }
    },
    /** How often the shop itself is asked while `act` runs. */
    async countMade(act: () => Promise<unknown>) {
      const before = made.length
      await act()
      return made.length - before
    },
  }
}
