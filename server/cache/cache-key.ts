/**
 * Only the pages that this file lists are cached, only without a session, and only with the query
 * fields that it lists.
 */
import type { IncomingMessage } from 'node:http'
import { themeOf } from '../http/request-validation.ts'

const PRIVATE_COOKIES = /session_token|flash=|provider-failed=/
const PLAIN_HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/
const MAX_TTL_MS = 300_000
const FORM_TTL_MS = 1000

export type CacheKey = NonNullable<ReturnType<typeof parseCacheKey>>
export type CacheRule = {
  ttlMs: number
  dependsOnOrders: boolean
  isShareable: boolean
}

const ID = '[A-Za-z0-9_-]{1,64}'
const anId = new RegExp(`^${ID}$`)
const plain: CacheRule = { ttlMs: MAX_TTL_MS, dependsOnOrders: false, isShareable: true }

const routes: { path: RegExp; query?: Record<string, RegExp>; rule: CacheRule }[] = [
  { path: /^\/$/, query: { colors: /^all$/, category: anId }, rule: plain },
  {
    path: new RegExp(`^/gallery(/${ID})?/?$`),
    query: {
      page: /^[1-9]\d{0,3}$/,
      sort: /^(newest|price-up|price-down|name)$/,
      sale: /^on$/,
      available: /^on$/,
      color: anId,
    },
    rule: plain,
  },
  {
    path: new RegExp(`^/item/${ID}/?$`),
    query: { picture: /^[1-9]\d?$/, color: anId },
    rule: { ...plain, dependsOnOrders: true },
  },
  { path: /^\/(about|testimonials|login)\/?$/, rule: plain },
  {
    path: /^\/contact\/?$/,
    query: { tab: /^[a-z]{1,12}$/ },
    rule: { ...plain, ttlMs: FORM_TTL_MS, isShareable: false },
  },
]

export function parseCacheKey(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  publicUrl: string | null,
) {
  if ((method !== 'GET' && method !== 'HEAD') || url[0] !== '/') return null
  if (
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.upgrade !== undefined
  ) {
    return null
  }
  const { cookie, host } = headers
  if (cookie !== undefined && PRIVATE_COOKIES.test(cookie)) return null
  if (host === undefined || host.length > 100 || !PLAIN_HOST.test(host)) return null
  const theme = themeOf(cookie ?? '')
  return {
    id: publicUrl === null ? `${theme} ${host} ${url}` : `${theme} ${url}`,
    target: url,
    host,
    theme,
    // A CDN must not give the theme of one visitor to other visitors.
    isDefaultTheme: !cookie?.includes('theme='),
  }
}

export function findCacheRule({ target, host }: CacheKey) {
  if (target.length > 200 || !URL.canParse(`http://${host}`)) return null
  const [path = '', query, ...rest] = target.split('?')
  const page = pagePathOf(path)
  const route = routes.find(({ path: pattern }) => pattern.test(page))
  if (!route || rest.length > 0 || (query !== undefined && !isKnownQuery(query, route.query))) {
    return null
  }
  // A CDN must not cache page data, because an open page loads its data after a change.
  return page === path ? route.rule : { ...route.rule, isShareable: false }
}

/** The request contains nothing of a visitor except the key, because all visitors get the page. */
export const requestOf = ({ target, theme, host }: CacheKey, publicUrl: string | null) =>
  new Request(`${publicUrl ?? `http://${host}`}${target}`, {
    headers: theme ? { cookie: `theme=${theme}` } : {},
  })

function pagePathOf(path: string) {
  if (path.endsWith('/_.data')) return path.slice(0, -'_.data'.length)
  return path.endsWith('.data') && !path.endsWith('/.data') ? path.slice(0, -'.data'.length) : path
}

function isKnownQuery(query: string, known: Record<string, RegExp> = {}) {
  const parts = query.split('&').map((part) => part.split('='))
  if (new Set(parts.map(([name]) => name)).size < parts.length) return false
  return parts.every(
    ([name = '', value = '', ...rest]) =>
      rest.length === 0 && Object.hasOwn(known, name) && known[name]!.test(value),
  )
}
