/** Decides which URLs can be cached: only known paths with known query parameters, so that invented URLs cannot fill the memory. */
import type { IncomingMessage } from 'node:http'
import { themeOf } from '../http/request-validation.ts'

/** With one of these cookies a page is personal: a session, a flash message, or a failed login with a provider. */
const PRIVATE_COOKIES = /session_token|flash=|provider-failed=/
const PLAIN_HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/
/** A page is cached for at most this many milliseconds, so that manual changes in the database are also shown. */
const MAX_TTL_MS = 300_000
/** The contact form is cached for only this many milliseconds, because it contains its rendering time. The shop uses this time to refuse forms that are sent too quickly. */
const FORM_TTL_MS = 1000

/** `isDefaultTheme` is false if the visitor has chosen a theme. A CDN must not give such a page to other visitors. */
export type CacheKey = {
  id: string
  target: string
  host: string
  theme: 'dark' | 'light' | null
  isDefaultTheme: boolean
}
/** If `dependsOnOrders` is true, the page also changes with conversations and sales. A CDN may cache the page for `cdnSeconds`. [S-060] */
export type CacheRule = { ttlMs: number; dependsOnOrders: boolean; cdnSeconds: number }
type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

const ID = '[A-Za-z0-9_-]{1,64}'
const anId = new RegExp(`^${ID}$`)
const plain: CacheRule = { ttlMs: MAX_TTL_MS, dependsOnOrders: false, cdnSeconds: 300 }

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
    rule: { ...plain, dependsOnOrders: true, cdnSeconds: 60 },
  },
  { path: /^\/(about|testimonials|login)\/?$/, rule: plain },
  {
    path: /^\/contact\/?$/,
    query: { tab: /^[a-z]{1,12}$/ },
    rule: { ...plain, ttlMs: FORM_TTL_MS, cdnSeconds: 0 },
  },
]

/** Returns the cache key of a request, or null if its response cannot be cached. The caller has checked that the request has a single Host header. */
export function parseCacheKey(
  { method, url = '', headers }: Incoming,
  publicUrl: string | null,
): CacheKey | null {
  if ((method !== 'GET' && method !== 'HEAD') || url[0] !== '/') return null
  if (
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.upgrade !== undefined
  )
    return null
  const { cookie, host } = headers
  if (cookie !== undefined && PRIVATE_COOKIES.test(cookie)) return null
  if (host === undefined || host.length > 100 || !PLAIN_HOST.test(host)) return null
  const theme = cookie === undefined ? null : themeOf(cookie)
  const id = publicUrl === null ? `${theme} ${host} ${url}` : `${theme} ${url}`
  return {
    id,
    target: url,
    host,
    theme,
    isDefaultTheme: cookie === undefined || !cookie.includes('theme='),
  }
}

/** Returns how long a page may be cached, or null if its URL is never cached. */
export function findCacheRule({ target, host }: CacheKey): CacheRule | null {
  if (target.length > 200 || !URL.canParse(`http://${host}`)) return null
  const [path = '', query, ...rest] = target.split('?')
  const page = pagePathOf(path)
  const route = routes.find((one) => one.path.test(page))
  if (!route || rest.length > 0 || (query !== undefined && !isKnownQuery(query, route.query)))
    return null
  return route.rule
}

/** Creates the request that renders a cached page. It contains only the key, so that the page contains nothing from the request of a visitor. */
export const requestOf = ({ target, theme, host }: CacheKey, publicUrl: string | null): Request =>
  new Request(`${publicUrl ?? `http://${host}`}${target}`, {
    headers: theme ? { cookie: `theme=${theme}` } : {},
  })

/** Returns the path of the page for a data URL. React Router requests the data of '/about/' at '/about/_.data', and the data of '/about' at '/about.data'. */
function pagePathOf(path: string): string {
  if (path.endsWith('/_.data')) return path.slice(0, -'_.data'.length)
  return path.endsWith('.data') && !path.endsWith('/.data') ? path.slice(0, -'.data'.length) : path
}

function isKnownQuery(query: string, known: Record<string, RegExp> = {}): boolean {
  const parts = query.split('&').map((part) => part.split('='))
  if (new Set(parts.map(([name]) => name)).size < parts.length) return false
  return parts.every(
    ([name = '', value = '', ...rest]) =>
      rest.length === 0 && Object.hasOwn(known, name) && known[name]!.test(value),
  )
}
