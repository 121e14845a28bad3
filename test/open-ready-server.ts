/** The production server with its ready pages on a port of its own; its answers are counted, and can be held back. */
import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { createApp, readRanking, type App } from '#server/app.ts'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import type { CdnSettings } from '#app/platform/env.server.ts'
import { openCdn } from '#server/cdn.ts'
import { openReadyPages, type ReadyPages } from '#server/ready-pages.ts'
import { openWeb } from '#server/web.ts'
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addColor, addItem } from './sample-catalogue.ts'

export type Got = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string }

export async function openReadyServer({
  publicUrl = null as string | null,
  mostBytes = 8 * 1024 * 1024,
  guard = undefined as Parameters<ReadyPages['listener']>[1],
  cdn: cdnSettings = undefined as CdnSettings | undefined,
} = {}) {
  const shop = await openTestShop(publicUrl === null ? {} : { publicUrl })
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addColor(shop.db, 'rust')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900, pictures: [{ colors: ['rust'] }] })
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })
  const own = { ...shop.shop, publicUrl }
  const inner = createApp(own)
  const clock = { now: 0 }
  /** what the shop itself was asked for, by ready pages and past them */
  const made: Request[] = []
  let hold: Promise<void> | null = null
  const app: App = async (asked, client) => {
    made.push(asked)
    const answer = await inner(asked, client)
    if (hold) await hold
    return answer
  }
  const web = openWeb({ app, client: shop.folder, publicUrl, clientAddressOf: openClientAddress(), isWell: async () => true })
  const cdn = cdnSettings && openCdn({ settings: cdnSettings, shop: own, settles: 20, firstPause: 20 })
  const ready = openReadyPages({
    app,
    cdn: cdn ?? null,
    shop: own,
    readRanking: () => readRanking(own),
    mostBytes,
    elapsed: () => clock.now,
  })
  const server = createServer(ready.listener(web, guard))
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
