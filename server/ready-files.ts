/**
 * The files of the build that pages name, from memory (039): a first visit asks for a dozen of them, and by way of the framework and the disk each
 * costs as much as making a page. Their names never mean anything else, so nothing is ever dropped but for room.
 */
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { guarded } from './headers.ts'
import { packPage, type ReadyPage } from './ready-page.ts'
import { namesOneHost } from './requests.ts'
import { send } from './send-ready.ts'

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}
const NAME = /^\/assets\/([\w-][\w.-]*\.(js|css|svg|woff2))$/
const FOR_EVER = 'public, max-age=31536000, immutable'
const MOST_BYTES = 16 * 1024 * 1024

/** `client`: the folder of what the build made for browsers. What is not there is left to `next`. */
export function openReadyFiles({ client, publicUrl }: { client: string; publicUrl: string | null }) {
  const files = new LRUCache<string, ReadyPage>({ maxSize: MOST_BYTES, sizeCalculation: ({ bytes }) => bytes })
  const underWay = new Map<string, Promise<ReadyPage | null>>()

  async function read(url: string, name: string, type: string): Promise<ReadyPage | null> {
    const path = join(client, 'assets', name)
    const body = await readFile(path).catch(() => null)
    if (!body) return null
    const brotli = await readFile(`${path}.br`).catch(() => null)
    const answer = guarded(new Response(body, { headers: { 'Content-Type': type } }), publicUrl)
    const file = await packPage(answer, FOR_EVER, { vary: 'Accept-Encoding', brotli })
    if (!file) return null
    files.set(url, file)
    return file
  }

  const readOnce = (url: string, name: string, type: string) => {
    const reading = underWay.get(url) ?? read(url, name, type).finally(() => underWay.delete(url))
    underWay.set(url, reading)
    return reading
  }

  return (next: RequestListener): RequestListener =>
    (request, response) => {
      const { method, url = '', headers } = request
      const isAsked = (method === 'GET' || method === 'HEAD') && url.startsWith('/assets/') && headers.host !== undefined
      if (!isAsked || !namesOneHost(request)) return next(request, response)
      const known = files.get(url)
      if (known) return send(request, response, known)
      const [, name, ending] = NAME.exec(url) ?? []
      if (!name || !ending) return next(request, response)
      void readOnce(url, name, types[ending]!).then(
        (file) => (file ? send(request, response, file) : next(request, response)),
        () => next(request, response),
      )
    }
}
