/**
 * Which addresses are kept ready for visitors (039). A closed list: whatever is not written exactly so is made for whoever asks, and not
 * kept. So no spelling, order or invention of an address can fill the memory with doubles, or stand for another page.
 */

/** A page that carries the time at which its form was handed out is kept for less than its guard counts. */
const WITH_FORM = 1000
const AT_CDN = { plain: 300, ranked: 60 }
/** Changes tell of themselves; this is for what somebody does to the database by hand. */
const LONGEST = 300_000

export type ReadyAddress = {
  /** milliseconds for which it may be kept */
  life: number
  /** whether it shows what was asked for and sold most (S-060), which conversations change and nothing else */
  isRanked: boolean
  /** seconds for which a CDN may keep it that is told of changes; what conversations change is not told */
  atCdn: number
}

type Shape = { path: RegExp; asked?: Record<string, RegExp>; life?: number; isRanked?: boolean }

const ID = '[A-Za-z0-9_-]{1,64}'
const anId = new RegExp(`^${ID}$`)
const on = /^on$/

const shapes: Shape[] = [
  { path: /^\/$/, asked: { colors: /^all$/, category: anId } },
  {
    path: new RegExp(`^/gallery(/${ID})?/?$`),
    asked: { page: /^[1-9]\d{0,3}$/, sort: /^(newest|price-up|price-down|name)$/, sale: on, available: on, color: anId },
  },
  { path: new RegExp(`^/item/${ID}/?$`), asked: { picture: /^[1-9]\d?$/, color: anId }, isRanked: true },
  { path: /^\/about\/?$/ },
  { path: /^\/testimonials\/?$/ },
  { path: /^\/login\/?$/ },
  { path: /^\/contact\/?$/, asked: { tab: /^[a-z]{1,12}$/ }, life: WITH_FORM },
]

/** The page that a loader's data belong to, as the router asks for them: '/about/_.data' is the data of '/about/', '/about.data' of '/about'. */
function pageOf(path: string): string {
  if (path.endsWith('/_.data')) return path.slice(0, -'_.data'.length)
  return path.endsWith('.data') && !path.endsWith('/.data') ? path.slice(0, -'.data'.length) : path
}

/** `target` as it stands in the request's first line; null: not kept. */
export function readyAddress(target: string): ReadyAddress | null {
  if (target.length > 200) return null
  const cut = target.indexOf('?')
  const path = pageOf(cut < 0 ? target : target.slice(0, cut))
  const shape = shapes.find((one) => one.path.test(path))
  if (!shape || (cut >= 0 && !isKnown(target.slice(cut + 1), shape.asked))) return null
  const isRanked = shape.isRanked ?? false
  return { life: shape.life ?? LONGEST, isRanked, atCdn: shape.life === undefined ? (isRanked ? AT_CDN.ranked : AT_CDN.plain) : 0 }
}

/** Each name once, in any order: pages are kept as they are asked for, and an address has few orders. */
function isKnown(query: string, asked: Shape['asked'] = {}): boolean {
  const parts = query.split('&').map((part) => part.split('='))
  if (new Set(parts.map(([name]) => name)).size < parts.length) return false
  return parts.every(([name = '', value = '', ...rest]) => rest.length === 0 && Object.hasOwn(asked, name) && asked[name]!.test(value))
}
