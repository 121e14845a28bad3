/** How often one address and one account may try a thing (S-237): counted in memory, or in PostgreSQL for all processes together (S-261). */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js'
import type { Page } from './context.ts'

/** Tries in so many seconds, by the visitor's address and by the account they are made with or for. */
type Rule = { seconds: number; address?: number; account?: number }

const MINUTE = 60
const HOUR = 60 * MINUTE

/** An account is a uid, or what stands for one: a typed e-mail address, a ticket. Many customers may share one address. */
const rules = {
  contact: { seconds: 10 * MINUTE, address: 20, account: 5 },
  ticket: { seconds: 10 * MINUTE, address: 20, account: 60 },
  message: { seconds: MINUTE, address: 600, account: 120 },
  request: { seconds: MINUTE, address: 150, account: 30 },
  picture: { seconds: 10 * MINUTE, address: 300, account: 60 },
  photo: { seconds: 10 * MINUTE, address: 100, account: 20 },
  profile: { seconds: 10 * MINUTE, address: 300, account: 60 },
  /** failures, for one account from one address */
  'sign-in-here': { seconds: 15 * MINUTE, account: 10 },
  /** failures, for all accounts from one address, of devices that are not known */
  'sign-in': { seconds: 15 * MINUTE, address: 100 },
  /** failures, for one account from everywhere, of devices that are not known */
  'sign-in-anywhere': { seconds: HOUR, account: 50 },
  /** failures, of a device that has signed in to the account before */
  'known-device': { seconds: 15 * MINUTE, account: 10 },
  registration: { seconds: 10 * MINUTE, address: 60 },
  guest: { seconds: 10 * MINUTE, address: 60 },
  /** going to another provider and coming back */
  provider: { seconds: 10 * MINUTE, address: 120 },
  link: { seconds: 10 * MINUTE, address: 60, account: 10 },
  /** letters asked for: each goes to somebody who may not have asked */
  reset: { seconds: HOUR, address: 30, account: 5 },
  verify: { seconds: HOUR, address: 30, account: 5 },
  'email-change': { seconds: HOUR, address: 30, account: 5 },
  /** letters that confirm an address, by whom they go to: of however many accounts, made and deleted again */
  letter: { seconds: HOUR, account: 10 },
  code: { seconds: 10 * MINUTE, address: 30 },
  /** the password again before a sensitive act */
  proof: { seconds: 15 * MINUTE, address: 100, account: 10 },
  'second-factor': { seconds: 15 * MINUTE, address: 50, account: 10 },
  export: { seconds: HOUR, address: 20, account: 5 },
} satisfies Record<string, Rule>

export type Limited = keyof typeof rules
export type Who = { address?: string; account?: string }

export type RateLimits = ReturnType<typeof openRateLimits>

export type Counters = Pick<RateLimiterAbstract, 'consume' | 'reward'>
export type OpenCounters = (options: { keyPrefix: string; points: number; duration: number }) => Counters

/** More visitors than any hour has; somebody with a million addresses must not fill the memory. */
const MOST_KEYS = 10_000

/** In memory; of too many keys the one that was quiet for longest is forgotten. */
export const countersInMemory: OpenCounters = (options) => {
  const counters = new RateLimiterMemory(options)
  const known = new LRUCache<string | number, true>({
    // With `max` the library would reserve memory for all of them at once, 6 MB for all limits.
    maxSize: MOST_KEYS,
    sizeCalculation: () => 1,
    dispose: (_, key, reason) => void (reason === 'evict' && counters.delete(key)),
  })
  return {
    consume(key, points) {
      known.set(key, true)
      return counters.consume(key, points)
    },
    reward(key, points) {
      known.set(key, true)
      return counters.reward(key, points)
    },
  }
}

/** Windows up to this many seconds slow down floods, as many times as there are processes; asking the database for each message would cost more than it saves. */
const MAX_SECONDS_IN_MEMORY = 60

/** S-261. While the database cannot be asked each process counts by itself; without the database nothing that is counted works anyway. */
export const countersInPostgres =
  (pool: pg.Pool): OpenCounters =>
  (options) => {
    if (options.duration <= MAX_SECONDS_IN_MEMORY) return countersInMemory(options)
    return new RateLimiterPostgres({
      ...options,
      // Without the names of prepared statements, which a pooler would mix up.
      storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) },
      storeType: 'pool',
      tableName: 'rateLimits',
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })
  }

const kinds = ['address', 'account'] as const
/** What people type as their e-mail address may be long, and is nobody's business in a memory dump. */
const keyOf = (who: string) => createHash('sha256').update(who.toLowerCase()).digest('base64url').slice(0, 22)

export function openRateLimits(isOn: boolean, openCounters: OpenCounters = countersInMemory) {
  const counters = new Map<string, Counters>()
  for (const [what, rule] of Object.entries<Rule>(rules))
    for (const kind of kinds)
      if (rule[kind]) {
        const keyPrefix = `${what}-${kind}`
        counters.set(keyPrefix, openCounters({ keyPrefix, points: rule[kind], duration: rule.seconds }))
      }

  async function secondsToWait(what: Limited, who: Who): Promise<number> {
    if (!isOn) return 0
    // The address first: who is stopped by it does not use up somebody else's tries with the account. Nor, the other way round, does one
    // account that goes on and on use up those of everybody else behind its address.
    if (who.address) {
      const seconds = await consume(counters.get(`${what}-address`), keyOf(who.address))
      if (seconds > 0) return seconds
    }
    const seconds = who.account ? await consume(counters.get(`${what}-account`), keyOf(who.account)) : 0
    if (seconds > 0 && who.address) await counters.get(`${what}-address`)?.reward(keyOf(who.address))
    return seconds
  }
  return {
    /** 0: go ahead, and the try is counted; else too many: answer with `tooMany`. Ask before the work is done, not after. */
    secondsToWait,
    allow: async (what: Limited, who: Who): Promise<boolean> => (await secondsToWait(what, who)) === 0,
    /** A try that went well counts no more; for what only limits failures, such as a password typed again. */
    async giveBack(what: Limited, who: Who): Promise<void> {
      if (!isOn) return
      for (const kind of kinds) if (who[kind]) await counters.get(`${what}-${kind}`)?.reward(keyOf(who[kind]))
    },
  }
}

async function consume(counters: Counters | undefined, key: string): Promise<number> {
  if (!counters) return 0
  return counters.consume(key).then(
    () => 0,
    (refused: RateLimiterRes | Error) => {
      if (refused instanceof Error) throw refused
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    },
  )
}

/** The answer to too many tries, and the page's Retry-After; `seconds` unset: as `askAuth` has found. */
export function tooMany(page: Page, seconds = page.retryAfter ?? MINUTE, say = tooManyTries): { ok: false; status: 429; error: string } {
  page.retryAfter = seconds
  return { ok: false, status: 429, error: say(seconds) }
}

const counted = (count: number, unit: string) => (count === 1 ? `a${unit === 'hour' ? 'n' : ''} ${unit}` : `${count} ${unit}s`)

/** Rounded up, so that whoever waits for this time is not refused again. */
export function waitText(seconds: number): string {
  if (seconds < 50) return counted(Math.max(1, Math.ceil(seconds)), 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

/** S-237: section 8 of the specification has no text for too many tries. */
export const tooManyTries = (seconds: number): string => `Too many tries. Please wait ${waitText(seconds)} and try again.`

export const tooMuchAtOnce = (seconds: number): string => `That was a lot at once. Please wait ${waitText(seconds)} and try again.`
