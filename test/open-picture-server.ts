/** Pictures in front of a shop, as its server has them, and what somebody who asks gets. */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import type { Files } from '#app/platform/files.server.ts'
import { createApp } from '#server/app.ts'
import { openReadyPictures } from '#server/ready-pictures.ts'
import { openWeb } from '#server/web.ts'
import { listen } from './listen.ts'
import { openTestShop } from './open-test-shop.ts'

export const PATH = 'items/walls/moon.480.avif'
export const bytes = (length: number, of = 'a') => new Uint8Array(Buffer.from(of.repeat(length)))

/** As server/serve.ts puts it together; `shop`: without what is in memory. */
export async function openPictureServer({ files = undefined as Files | undefined, mostBytes = undefined as number | undefined } = {}) {
  const shop = await openTestShop({ publicUrl: 'https://knots.test', ...(files && { files }) })
  const app = createApp(shop.shop)
  const client = join(shop.folder, 'client')
  await mkdir(client)
  const asked: string[] = []
  let isFull = false
  const web = openWeb({
    app: (came) => {
      asked.push(new URL(came.url).pathname)
      return app(came)
    },
    client,
    publicUrl: 'https://knots.test',
    clientAddressOf: openClientAddress(),
    isWell: async () => true,
  })
  const guard =
    (listener: RequestListener): RequestListener =>
    (came, answer) =>
      isFull ? void answer.writeHead(503).end() : listener(came, answer)
  const pictures = openReadyPictures({ files: shop.files, publicUrl: 'https://knots.test', ...(mostBytes && { mostBytes }) })
  const ready = await serve(pictures.kept(guard(pictures.read(web))))
  const plain = await serve(web)
  await shop.files.put(PATH, bytes(3000))
  return {
    ...shop,
    pictures,
    ready,
    plain,
    fill: (is: boolean) => (isFull = is),
    /** how often the shop itself is asked meanwhile */
    async countAsked(act: () => Promise<unknown>) {
      asked.length = 0
      await act()
      return asked.length
    },
  }
}

export async function serve(listener: RequestListener) {
  const port = await listen(createServer(listener))
  async function get(path: string, headers: IncomingHttpHeaders = {}, method = 'GET') {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false })
    sent.end()
    const [answer] = await once(sent, 'response')
    const { date: _, ...told } = answer.headers as IncomingHttpHeaders
    return { status: answer.statusCode as number, headers: told, body: (await buffer(answer)).toString() }
  }
  return { get, port }
}
