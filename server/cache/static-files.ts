/** Serves the client files of the build from memory, because serving a file from disk costs about ten times as much. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative } from 'node:path'
import type { Middleware } from '../http/environment.ts'
import { withSecurityHeaders } from '../http/security-headers.ts'
import { encodeResponse, sendCached, toResponse, type CachedResponse } from './encoded-response.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
}

/** Lists the folder once. The shop serves only files of this list, so a request cannot name a file outside of the folder. */
export function createStaticFiles(folder: string, publicUrl: string | null) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && extname(entry.name) in types,
  )
  const paths = new Map(
    files.map(({ parentPath, name }) => [
      `/${relative(folder, join(parentPath, name))}`,
      join(parentPath, name),
    ]),
  )
  const loaded = new Map<string, CachedResponse>()
  const loading = new Map<string, Promise<CachedResponse>>()

  async function load(path: string, file: string): Promise<CachedResponse> {
    const [bytes, brotli] = await Promise.all([
      readFile(file),
      readFile(`${file}.br`).catch(() => undefined),
    ])
    const response = new Response(bytes, { headers: { 'Content-Type': types[extname(file)]! } })
    // Browsers may cache an asset forever, because its name contains a hash of its content.
    const cacheControl = path.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600'
    const cached = await encodeResponse(withSecurityHeaders(response, publicUrl), {
      cacheControl,
      vary: 'Accept-Encoding',
      brotli,
    })
    loaded.set(path, cached!)
    return cached!
  }

  return {
    send(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
      const cached = isReadRequest(incoming) ? loaded.get(incoming.url!) : undefined
      if (cached) sendCached(incoming, outgoing, cached)
      return cached !== undefined
    },

    load: (async ({ env: { incoming } }, next) => {
      const path = incoming.url!.split('?', 1)[0]!
      const file = paths.get(path)
      if (file === undefined || !isReadRequest(incoming)) return next()
      const reading = loading.get(path) ?? load(path, file)
      loading.set(path, reading)
      const cached = await reading.catch(() => {
        loading.delete(path)
        return null
      })
      return cached ? toResponse(incoming, cached) : next()
    }) satisfies Middleware,
  }
}

const isReadRequest = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'
