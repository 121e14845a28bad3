import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { Visit } from '#app/platform/visit.server.ts'
import type { CacheKey } from '../cache/cache-key.ts'

export type Environment = { Bindings: HttpBindings; Variables: { visit: Visit; cacheKey?: CacheKey } }
export type Middleware = MiddlewareHandler<Environment>
