import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { AppServices } from '#services/context.ts'
import { topicRules } from '#services/live-topics.server.ts'
import type { Middleware } from '../http/environment.ts'
import type { RequestHandler } from '../request-handler.ts'
import {
  findCacheRule,
  parseCacheKey,
  requestOf,
  type CacheKey,
  type CacheRule,
} from './cache-key.ts'
import { encodeResponse, sendCached, toResponse, type CachedResponse } from './encoded-response.ts'

const CACHE_CONTROL = 'private, no-cache'
const SHARED_CACHING = ['Cache-Control', 'public, max-age=0, must-revalidate, s-maxage=60'] as const

type PageCacheOptions = {
  handler: RequestHandler
  services: Pick<AppServices, 'live' | 'publicUrl' | 'log'>
  maxBytes: number
  elapsed?: () => number
}

type Version = { live: string; changes: number; orders: number }
type Entry = { response: CachedResponse; version: Version; expiresAt: number; rule: CacheRule }

export type PageCache = ReturnType<typeof createPageCache>

export function createPageCache({
  handler,
  services: { live, publicUrl, log },
  maxBytes,
  elapsed = () => performance.now(),
}: PageCacheOptions) {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: ({ response }, key) => response.bytes + 2 * key.length,
  })
  const pending = new Map<string, Promise<CachedResponse | null>>()
  const counts = { hits: 0, misses: 0 }
  const versions = createVersions(live, (isPublic) => {
    if (isPublic) entries.clear()
    // A page whose rendering began before the change must not go to a later visitor.
    pending.clear()
  })
  const isCurrent = ({ version, expiresAt, rule }: Entry) =>
    versions.isCurrent(version, rule) && elapsed() < expiresAt

  const keyOf = (incoming: IncomingMessage) =>
    live.isInSync() ? parseCacheKey(incoming, publicUrl) : null

  function send(incoming: IncomingMessage, outgoing: ServerResponse) {
    const key = keyOf(incoming)
    const entry = key && entries.get(key.id)
    if (!key || !entry || !isCurrent(entry)) return false
    counts.hits += 1
    const isShareable = publicUrl !== null && key.isDefaultTheme && entry.rule.isShareable
    sendCached(incoming, outgoing, entry.response, isShareable ? SHARED_CACHING : [])
    return true
  }

  const joinRendering: Middleware = async (c, next) => {
    const key = keyOf(c.env.incoming)
    const rendering = key && pending.get(key.id)
    if (rendering) return respond(rendering, c, next)
    if (key) c.set('cacheKey', key)
    return next()
  }

  const render: Middleware = async (c, next) => {
    const key = c.get('cacheKey')
    const rule = key && findCacheRule(key)
    if (!key || !rule) return next()
    const ongoing = pending.get(key.id)
    if (ongoing) return respond(ongoing, c, next)
    const rendering = renderNow(key, rule).finally(() => {
      if (pending.get(key.id) === rendering) pending.delete(key.id)
    })
    pending.set(key.id, rendering)
    return respond(rendering, c, next)
  }

  async function respond(
    rendering: Promise<CachedResponse | null>,
    c: Parameters<Middleware>[0],
    next: Parameters<Middleware>[1],
  ) {
    counts.misses += 1
    const response = await rendering.catch((error: unknown) => {
      log.error('a page could not be rendered for the cache', error)
      return null
    })
    return response ? toResponse(c.env.incoming, response) : next()
  }

  async function renderNow(key: CacheKey, rule: CacheRule) {
    const version = versions.current()
    const expiresAt = elapsed() + rule.ttlMs
    const { response, isComplete } = await encodePage(await handler(requestOf(key, publicUrl)))
    const entry = response && { response, version, expiresAt, rule }
    if (entry?.response.status === 200 && isComplete && live.isInSync() && isCurrent(entry)) {
      entries.set(key.id, entry)
    }
    return response
  }

  return {
    send,
    joinRendering,
    render,
    stats: () => ({ ...counts, pages: entries.size, bytes: entries.calculatedSize }),
    close: versions.close,
  }
}

async function encodePage(page: Response) {
  // 'no-store' marks a page that may be incomplete because of an outage.
  const isComplete = page.headers.get('Cache-Control') !== 'no-store'
  const cacheControl = isComplete ? CACHE_CONTROL : 'no-store'
  const response = await encodeResponse(page, { cacheControl, vary: 'Accept-Encoding, Cookie' })
  return { response, isComplete }
}

/** Counts changes itself, because a late notification can set the version of the bus back. */
function createVersions(live: AppServices['live'], onChange: (isPublic: boolean) => void) {
  let changes = 0
  let orders = 0
  const close = live.onChange((topics) => {
    const isPublic = topics.some(topicRules.isPublic)
    if (isPublic) changes += 1
    else if (topics.some((topic) => topic === 'orders' || topic === 'sales')) orders += 1
    else return
    onChange(isPublic)
  })
  return {
    current: (): Version => ({ live: live.version(null), changes, orders }),
    isCurrent: (version: Version, { dependsOnOrders }: CacheRule) =>
      version.live === live.version(null) &&
      version.changes === changes &&
      (version.orders === orders || !dependsOnOrders),
    close,
  }
}
