import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { RequestContext } from '#lib/telemetry/request-context.server.ts'
import type { CacheKey } from '../cache/cache-key.ts'

export type HttpEnvironment = {
  Bindings: HttpBindings
  Variables: { visit: RequestContext; cacheKey?: CacheKey }
}
export type Middleware = MiddlewareHandler<HttpEnvironment>
