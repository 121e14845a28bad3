import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import type { Middleware } from '../http/environment.ts'
import { withSecurityHeaders } from '../http/security-headers.ts'
import { encodeResponse, sendCached, toResponse, type CachedResponse } from './encoded-response.ts'

/** Serves only files that exist at the start, so a request cannot name any other file. */
export function createStaticFiles(folder: string, publicUrl: string | null) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && getMimeType(entry.name) !== undefined)
    .map(({ parentPath, name }) => join(parentPath, name))
  const fileByPath = new Map(files.map((file) => [`/${relative(folder, file)}`, file]))
  const responses = new Map<string, CachedResponse>()
  const reads = new Map<string, Promise<CachedResponse>>()

  async function load(path: string, file: string) {
    const [bytes, brotli] = await Promise.all([
      readFile(file),
      readFile(`${file}.br`).catch(() => undefined),
    ])
    const response = new Response(bytes, { headers: { 'Content-Type': getMimeType(file)! } })
    const cacheControl = path.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600'
    const cached = await encodeResponse(withSecurityHeaders(response, publicUrl), {
      cacheControl,
      vary: 'Accept-Encoding',
      brotli,
    })
    responses.set(path, cached!)
    return cached!
  }

  return {
    send(incoming: IncomingMessage, outgoing: ServerResponse) {
      const cached = isReadRequest(incoming) ? responses.get(incoming.url!) : undefined
      if (cached) sendCached(incoming, outgoing, cached)
      return cached !== undefined
    },

    load: (async ({ env: { incoming } }, next) => {
      const path = incoming.url!.split('?', 1)[0]!
      const file = fileByPath.get(path)
      if (file === undefined || !isReadRequest(incoming)) return next()
      const reading = reads.get(path) ?? load(path, file)
      reads.set(path, reading)
      const cached = await reading.catch(() => {
        reads.delete(path)
        return null
      })
      return cached ? toResponse(incoming, cached) : next()
    }) satisfies Middleware,
  }
}

const isReadRequest = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'
