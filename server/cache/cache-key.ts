/** The routes are a closed list in exactly one spelling: no other one can fill the memory with duplicates or stand for another page (050). */
import type { IncomingMessage } from 'node:http'
import { themeOf } from '../http/request-validation.ts'

/** Cookies that make a page one person's own: a session, words that are shown once, a sign-in that failed. */
const PRIVATE_COOKIES = /session_token|flash=|provider-failed=/
/** Nothing that could be read in two ways. */
const PLAIN_HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/
/** Changes drop pages by themselves; this limit is for what the owner changes in the database by hand. */
const MAX_TTL_MS = 300_000
/** The contact form carries the time at which it was handed out, and refuses answers within two seconds. */
const FORM_TTL_MS = 1000

/** `hasOnlyKnownCookies` is false for a visitor who chose a theme: a CDN must not give that page to others. */
export type CacheKey = { id: string; target: string; host: string; theme: 'dark' | 'light'; isDefaultTheme: boolean }
/** `dependsOnOrders`: conversations and sales change the page as well (S-060). `cdnSeconds`: how long a CDN may keep the page; 0: not at all. */
export type CacheRule = { ttlMs: number; dependsOnOrders: boolean; cdnSeconds: number }
type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

const ID = '[A-Za-z0-9_-]{1,64}'
const anId = new RegExp(`^${ID}$`)
const plain: CacheRule = { ttlMs: MAX_TTL_MS, dependsOnOrders: false, cdnSeconds: 300 }

const routes: { path: RegExp; query?: Record<string, RegExp>; rule: CacheRule }[] = [
  { path: /^\/$/, query: { colors: /^all$/, category: anId }, rule: plain },
  {
    path: new RegExp(`^/gallery(/${ID})?/?$`),
    query: { page: /^[1-9]\d{0,3}$/, sort: /^(newest|price-up|price-down|name)$/, sale: /^on$/, available: /^on$/, color: anId },
    rule: plain,
  },
  {
    path: new RegExp(`^/item/${ID}/?$`),
    query: { picture: /^[1-9]\d?$/, color: anId },
    rule: { ...plain, dependsOnOrders: true, cdnSeconds: 60 },
  },
  { path: /^\/(about|testimonials|login)\/?$/, rule: plain },
  { path: /^\/contact\/?$/, query: { tab: /^[a-z]{1,12}$/ }, rule: { ...plain, ttlMs: FORM_TTL_MS, cdnSeconds: 0 } },
]

/** null: the request is not for the cache; the application answers or refuses it. Whoever asks has made sure that there is one Host header. With `publicUrl` the Host header does not count. */
export function parseCacheKey({ method, url = '', headers }: Incoming, publicUrl: string | null): CacheKey | null {
  if ((method !== 'GET' && method !== 'HEAD') || url[0] !== '/') return null
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined || headers.upgrade !== undefined) return null
  const { cookie, host } = headers
  if (cookie !== undefined && PRIVATE_COOKIES.test(cookie)) return null
  if (host === undefined || host.length > 100 || !PLAIN_HOST.test(host)) return null
  const theme = cookie === undefined ? 'dark' : themeOf(cookie)
  const id = publicUrl === null ? `${theme} ${host} ${url}` : `${theme} ${url}`
  return { id, target: url, host, theme, isDefaultTheme: cookie === undefined || !cookie.includes('theme=') }
}

/** The rule of a page or of its data; null: this address is never cached. */
export function findCacheRule({ target, host }: CacheKey): CacheRule | null {
  if (target.length > 200 || !URL.canParse(`http://${host}`)) return null
  const [path = '', query, ...rest] = target.split('?')
  const page = pageOf(path)
  const route = routes.find((one) => one.path.test(page))
  if (!route || rest.length > 0 || (query !== undefined && !isKnownQuery(query, route.query))) return null
  return route.rule
}

/** The request that the application answers for the cache: made of the key alone, so an entry cannot hold what one visitor sent. */
export const requestOf = ({ target, theme, host }: CacheKey, publicUrl: string | null): Request =>
  new Request(`${publicUrl ?? `http://${host}`}${target}`, { headers: theme === 'light' ? { cookie: 'theme=light' } : {} })

/** The router asks for the data of '/about/' at '/about/_.data', and for those of '/about' at '/about.data'. */
function pageOf(path: string): string {
  if (path.endsWith('/_.data')) return path.slice(0, -'_.data'.length)
  return path.endsWith('.data') && !path.endsWith('/.data') ? path.slice(0, -'.data'.length) : path
}

/** Each parameter at most once, in any order. */
function isKnownQuery(query: string, known: Record<string, RegExp> = {}): boolean {
  const parts = query.split('&').map((part) => part.split('='))
  if (new Set(parts.map(([name]) => name)).size < parts.length) return false
  return parts.every(([name = '', value = '', ...rest]) => rest.length === 0 && Object.hasOwn(known, name) && known[name]!.test(value))
}
