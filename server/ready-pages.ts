/**
 * The public pages as visitors get them: made once, packed once, kept until something that they show changes (039). They stand before the
 * framework, straight on Node's server: a hit costs a look into a table and one write.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Shop } from '../app/platform/context.ts'
import type { App } from './app.ts'
import { readyAddress, type ReadyAddress } from './ready-addresses.ts'
import type { Cdn } from './cdn.ts'
import { forCdn, packPage, type Form, type ReadyPage } from './ready-page.ts'
import { send } from './send-ready.ts'
import { openRanking } from './ready-ranking.ts'
import { readAsked, requestFor, type Asked } from './ready-request.ts'

/** Nobody but the browser that asked keeps it, and that one asks each time whether it is still so. */
const CACHING = 'private, no-cache'

type Parts = {
  app: App
  shop: Pick<Shop, 'live' | 'publicUrl' | 'log'>
  /** what is asked for and sold most, as a text that differs when it does (S-060) */
  readRanking: () => Promise<string>
  cdn?: Pick<Cdn, 'isSettled' | 'mark'> | null
  /** of memory */
  mostBytes?: number
  /** milliseconds of a clock that only goes forward */
  elapsed?: () => number
}

/** `version`: of what visitors see, read before the page was made. */
type Kept = { page: ReadyPage; version: string; until: number; ranking: string | null; atCdn: number }

export type ReadyPages = {
  /** In front of whatever answers the rest. */
  listener: (next: RequestListener, guard?: (listener: RequestListener) => RequestListener) => RequestListener
  /** requests answered from what was there, and after a page was made for them; pages and bytes that are kept */
  stats: () => { hits: number; misses: number; pages: number; bytes: number }
  close: () => void
}

export function openReadyPages({
  app,
  shop,
  readRanking,
  cdn = null,
  mostBytes = 32 * 1024 * 1024,
  elapsed = () => performance.now(),
}: Parts): ReadyPages {
  const { live, publicUrl } = shop
  const kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    maxEntrySize: Math.ceil(mostBytes / 4),
    sizeCalculation: ({ page }, key) => page.bytes + 2 * key.length,
  })
  const underWay = new Map<string, Promise<ReadyPage | null>>()
  const ranking = openRanking(live, readRanking)
  const counts = { hits: 0, misses: 0 }
  /** A version may come back (shared-live.server.ts: a mark whose echo is late); this never does. */
  let drops = 0

  const forget = () => {
    drops += 1
    kept.clear()
    // Whoever asks from now on must not wait for what was begun before.
    underWay.clear()
  }
  const offChange = live.onChange((topics) => {
    if (topics.some((topic) => topic === 'catalogue' || topic === 'testimonials' || topic === 'settings')) forget()
  })

  /** Not only dropped when told: what is kept counts for its version alone, whatever was told or missed. */
  const isCurrent = ({ version, until }: Kept) => version === live.version(null) && elapsed() < until

  /** `guard`: the door of overload, for whoever makes the shop work; who is given what is there, or waits for it, does not. */
  function listener(next: RequestListener, guard: (listener: RequestListener) => RequestListener = (same) => same): RequestListener {
    const passing = guard(next)
    const making = guard((request, response) => {
      const asked = readAsked(request, publicUrl)
      const address = asked && readyAddress(asked.target)
      if (!address) return next(request, response)
      counts.misses += 1
      give(request, response, underWay.get(asked.key) ?? make(asked, address), next)
    })
    return (request, response) => {
      const asked = live.isHearing() ? readAsked(request, publicUrl) : null
      if (!asked) return passing(request, response)
      const found = kept.get(asked.key)
      const isThere = found !== undefined && isCurrent(found)
      if (isThere && ranking.isSame(found.ranking)) return hit(request, response, asked, found)
      const orMake = () => {
        const begun = underWay.get(asked.key)
        if (begun) {
          counts.misses += 1
          give(request, response, begun, passing)
        } else if (readyAddress(asked.target) && URL.canParse(`http://${asked.host}`)) making(request, response)
        else passing(request, response)
      }
      if (!isThere || found.ranking === null) return orMake()
      // A conversation has changed something: it is looked up once whether that is what these pages show.
      const isSame = ranking.confirm(found.ranking).catch(() => false)
      void isSame.then((is) => (is && isCurrent(found) ? hit(request, response, asked, found) : orMake()))
    }
  }

  function hit(request: IncomingMessage, response: ServerResponse, { isPlain }: Asked, found: Kept) {
    counts.hits += 1
    send(request, response, found.page, isPlain && found.atCdn > 0 && cdn?.isSettled() ? ofCdn(found.atCdn, cdn) : undefined)
  }

  function give(request: IncomingMessage, response: ServerResponse, making: Promise<ReadyPage | null>, next: RequestListener) {
    void making.then(
      (page) => (page ? send(request, response, page) : next(request, response)),
      (error) => {
        shop.log.error('a page could not be made ready', error)
        next(request, response)
      },
    )
  }

  /** Many who ask at once for a page that is not there wait for one making of it. */
  function make(asked: Asked, address: ReadyAddress): Promise<ReadyPage | null> {
    const making = makeNow(asked, address).finally(() => {
      if (underWay.get(asked.key) === making) underWay.delete(asked.key)
    })
    underWay.set(asked.key, making)
    return making
  }

  async function makeNow(asked: Asked, { life, isRanked, atCdn }: ReadyAddress): Promise<ReadyPage | null> {
    const begun = elapsed()
    const [version, before] = [live.version(null), drops]
    const order = isRanked ? await ranking.read() : null
    const answer = await app(requestFor(asked, publicUrl))
    // 044: made during an outage, something of it may be missing.
    const isWhole = answer.headers.get('Cache-Control') !== 'no-store'
    const page = await packPage(answer, isWhole ? CACHING : 'no-store')
    if (page?.status !== 200 || !isWhole) return page
    const entry: Kept = { page, version, until: begun + life, ranking: order?.text ?? null, atCdn }
    // What has changed meanwhile may or may not be in it.
    const isSame = live.isHearing() && isCurrent(entry) && (order === null || (await ranking.isStill(order)))
    if (isSame && isCurrent(entry) && drops === before) kept.set(asked.key, entry)
    return page
  }

  return {
    listener,
    stats: () => ({ ...counts, pages: kept.size, bytes: kept.calculatedSize }),
    close: () => {
      offChange()
      ranking.close()
      forget()
    },
  }
}

/** Only what is kept here is given to a CDN: it is of the newest version, and the CDN will hear of the next. */
const ofCdn =
  (seconds: number, { mark }: Pick<Cdn, 'mark'>) =>
  (form: Form) =>
    forCdn(form, `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=30`, mark)
