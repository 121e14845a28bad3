/** Caches public pages in memory until their content changes. Pages of signed-in users are never cached. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { AppServices } from '#app/services/context.ts'
import { topicRules } from '#app/services/live-topics.server.ts'
import type { Middleware } from '../http/environment.ts'
import type { RequestHandler } from '../request-handler.ts'
import {
  findCacheRule,
  parseCacheKey,
  requestOf,
  type CacheKey,
  type CacheRule,
} from './cache-key.ts'
import type { Cdn } from './cdn.ts'
import { encodeResponse, sendCached, toResponse, type CachedResponse } from './encoded-response.ts'

/** With this header, only the browser may cache a page, and it asks the shop before each use whether the page has changed. */
const CACHE_CONTROL = 'private, no-cache'

type Options = {
  handler: RequestHandler
  services: Pick<AppServices, 'live' | 'publicUrl' | 'log'>
  cdn?: Pick<Cdn, 'isSettled' | 'tag'> | null
  maxBytes: number
  /** a clock in milliseconds that is never set back */
  elapsed?: () => number
}

/** The version of the data from which a page was rendered. A cached page is valid as long as all these values are current. */
type Version = { live: string; changes: number; orders: number }
type Entry = { response: CachedResponse; version: Version; expiresAt: number; rule: CacheRule }

export function createPageCache({
  handler,
  services,
  cdn = null,
  maxBytes,
  elapsed = () => performance.now(),
}: Options) {
  const { live, publicUrl, log } = services
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: ({ response }, key) => response.bytes + 2 * key.length,
  })
  const pending = new Map<string, Promise<CachedResponse | null>>()
  const counts = { hits: 0, misses: 0 }
  /** `changes` and `orders` only grow. The version of the change bus is not enough, because a late notification may set this version back. */
  let changes = 0
  let orders = 0
  const unsubscribe = live.onChange((topics) => {
    if (topics.some(topicRules.isPublic)) {
      changes += 1
      entries.clear()
    } else if (topics.some((topic) => topic === 'orders' || topic === 'sales')) orders += 1
    else return
    // A visitor who requests a page after the change must not get a page whose rendering started before the change.
    pending.clear()
  })

  const currentVersion = (): Version => ({ live: live.version(null), changes, orders })
  const isCurrent = ({ version, expiresAt, rule }: Entry) =>
    version.live === live.version(null) &&
    version.changes === changes &&
    (version.orders === orders || !rule.dependsOnOrders) &&
    elapsed() < expiresAt

  // The cache is turned off while the process does not receive changes of other processes.
  const keyOf = (incoming: IncomingMessage) =>
    live.isHearing() ? parseCacheKey(incoming, publicUrl) : null

  /** Sends the page and returns true if the page is cached. Cached pages are sent even under overload, because sending them costs little. */
  function send(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const key = keyOf(incoming)
    const entry = key && entries.get(key.id)
    if (!key || !entry || !isCurrent(entry)) return false
    counts.hits += 1
    const { cdnSeconds } = entry.rule
    const isForCdn = cdn !== null && key.isDefaultTheme && cdnSeconds > 0 && cdn.isSettled()
    sendCached(incoming, outgoing, entry.response, isForCdn ? cdnHeaders(cdnSeconds, cdn) : [])
    return true
  }

  /** Waits for the rendering if the same page is already being rendered for another visitor. */
  const joinRendering: Middleware = async (c, next) => {
    const key = keyOf(c.env.incoming)
    const rendering = key && pending.get(key.id)
    if (rendering) return respond(c, rendering, next)
    if (key) c.set('cacheKey', key)
    return next()
  }

  /** Renders a page for the cache. Other visitors of the same page wait for this rendering. */
  const render: Middleware = async (c, next) => {
    const key = c.get('cacheKey')
    const rule = key && findCacheRule(key)
    if (!key || !rule) return next()
    const known = pending.get(key.id)
    if (known) return respond(c, known, next)
    const rendering = renderNow(key, rule).finally(() => {
      if (pending.get(key.id) === rendering) pending.delete(key.id)
    })
    pending.set(key.id, rendering)
    return respond(c, rendering, next)
  }

  async function respond(
    c: Parameters<Middleware>[0],
    rendering: Promise<CachedResponse | null>,
    next: Parameters<Middleware>[1],
  ) {
    counts.misses += 1
    const response = await rendering.catch((error: unknown) => {
      log.error('a page could not be rendered for the cache', error)
      return null
    })
    return response ? toResponse(c.env.incoming, response) : next()
  }

  async function renderNow(key: CacheKey, rule: CacheRule): Promise<CachedResponse | null> {
    const version = currentVersion()
    const expiresAt = elapsed() + rule.ttlMs
    const answer = await handler(requestOf(key, publicUrl))
    // A page that was rendered during an outage has the header 'no-store', because it may be incomplete.
    const isComplete = answer.headers.get('Cache-Control') !== 'no-store'
    const cacheControl = isComplete ? CACHE_CONTROL : 'no-store'
    const response = await encodeResponse(answer, { cacheControl, vary: 'Accept-Encoding, Cookie' })
    const entry = response && { response, version, expiresAt, rule }
    if (entry?.response.status === 200 && isComplete && live.isHearing() && isCurrent(entry))
      entries.set(key.id, entry)
    return response
  }

  return {
    send,
    joinRendering,
    render,
    stats: () => ({ ...counts, pages: entries.size, bytes: entries.calculatedSize }),
    close: unsubscribe,
  }
}

export type PageCache = ReturnType<typeof createPageCache>

/** Returns headers with which a CDN may cache the page and removes it with the next purge. */
const cdnHeaders = (seconds: number, { tag }: Pick<Cdn, 'tag'>): string[] => [
  'Cache-Control',
  `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=30`,
  ...tag,
]
