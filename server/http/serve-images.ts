/** Stored pictures without the router, whose way costs several times the reading (decision 050). What is missing or fails is left to the route. */
import type { Shop } from '#app/platform/context.ts'
import { isShownPath, pictureTypeOf } from '#app/platform/picture-types.ts'
import type { Middleware } from './environment.ts'
import { withSecurityHeaders } from './security-headers.ts'

const PREFIX = '/pictures/'

export function serveImages({ files, publicUrl }: Pick<Shop, 'files' | 'publicUrl'>): Middleware {
  return async (c, next) => {
    const { method, url = '' } = c.env.incoming
    const path = url.slice(PREFIX.length)
    const type = url.startsWith(PREFIX) && isShownPath(path) ? pictureTypeOf(path) : null
    if (type === null || (method !== 'GET' && method !== 'HEAD')) return next()
    const bytes = await files.read(path).catch(() => null)
    if (!bytes) return next()
    // The address of a picture never means another picture.
    const headers = { 'Content-Type': type, 'Content-Length': String(bytes.length), 'Cache-Control': 'public, max-age=31536000, immutable' }
    return withSecurityHeaders(new Response(method === 'HEAD' ? null : bytes, { headers }), publicUrl)
  }
}
