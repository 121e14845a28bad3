import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js'
import type { RequestInfo } from './context.ts'

type Rule = { seconds: number; address?: number; account?: number }

const MINUTE = 60
const HOUR = 60 * MINUTE

export const WRONG_CODES_BEFORE_EMAIL = 5

/** `account` is a uid, an email address or a ticket; many people may share an `address`. */
const rules = {
  contact: { seconds: 10 * MINUTE, address: 20, account: 5 },
  ticket: { seconds: 10 * MINUTE, address: 20, account: 60 },
  message: { seconds: MINUTE, address: 600, account: 120 },
  request: { seconds: MINUTE, address: 150, account: 30 },
  image: { seconds: 10 * MINUTE, address: 300, account: 60 },
  'large-body': { seconds: MINUTE, address: 300, account: 60 },
  photo: { seconds: 10 * MINUTE, address: 100, account: 20 },
  profile: { seconds: 10 * MINUTE, address: 300, account: 60 },
  'sign-in-here': { seconds: 15 * MINUTE, account: 10 },
  'sign-in': { seconds: 15 * MINUTE, address: 100 },
  'sign-in-anywhere': { seconds: HOUR, account: 50 },
  'known-device': { seconds: 15 * MINUTE, account: 10 },
  'successful-sign-in': { seconds: 15 * MINUTE, address: 300, account: 60 },
  registration: { seconds: 10 * MINUTE, address: 60 },
  guest: { seconds: 10 * MINUTE, address: 60 },
  provider: { seconds: 10 * MINUTE, address: 120 },
  link: { seconds: 10 * MINUTE, address: 60, account: 10 },
  reset: { seconds: HOUR, address: 30, account: 5 },
  verify: { seconds: HOUR, address: 30, account: 5 },
  notice: { seconds: HOUR, account: 10 },
  'email-change': { seconds: HOUR, address: 30, account: 5 },
  email: { seconds: HOUR, account: 10 },
  welcome: { seconds: HOUR, address: 20 },
  code: { seconds: 10 * MINUTE, address: 30 },
  reauthentication: { seconds: 15 * MINUTE, address: 100, account: 10 },
  'password-check': { seconds: 15 * MINUTE, address: 300, account: 60 },
  'second-factor-day': { seconds: 24 * HOUR, account: 30 },
  'second-factor': { seconds: 15 * MINUTE, address: 50, account: 10 },
  'unreported-wrong-codes': { seconds: 24 * HOUR, account: WRONG_CODES_BEFORE_EMAIL - 1 },
  export: { seconds: HOUR, address: 20, account: 5 },
} satisfies Record<string, Rule>

export type RateLimitName = keyof typeof rules
export type RateLimitSubject = { address?: string; account?: string }

export type RateLimits = ReturnType<typeof createRateLimits>

type Counters = Pick<RateLimiterAbstract, 'consume' | 'reward' | 'delete'>
type OpenCounters = (options: { keyPrefix: string; points: number; duration: number }) => Counters

const MAX_KEYS = 10_000

export const createMemoryCounters: OpenCounters = (options) => {
  const counters = new RateLimiterMemory(options)
  const keys = new LRUCache<string | number, true>({
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
    dispose: (_, key, reason) => void (reason === 'evict' && counters.delete(key)),
  })
  return {
    consume(key, points) {
      keys.set(key, true)
      return counters.consume(key, points)
    },
    reward(key, points) {
      keys.set(key, true)
      return counters.reward(key, points)
    },
    delete: (key) => counters.delete(key),
  }
}

const MAX_SECONDS_IN_MEMORY = 60

/** While the database is unavailable, each process counts in memory. [S-261] */
export const createPostgresCounters =
  (pool: pg.Pool): OpenCounters =>
  (options) => {
    if (options.duration <= MAX_SECONDS_IN_MEMORY) return createMemoryCounters(options)
    return new RateLimiterPostgres({
      ...options,
      // Sends no statement names, because a connection pooler would mix them up.
      storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) },
      storeType: 'pool',
      tableName: 'rateLimits',
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })
  }

const kinds = ['address', 'account'] as const
type Kind = (typeof kinds)[number]
/** Hashes `who`, because addresses that users type are personal and may be long. */
const keyOf = (who: string) =>
  createHash('sha256').update(who.toLowerCase()).digest('base64url').slice(0, 22)

export function createRateLimits(isOn: boolean, openCounters: OpenCounters = createMemoryCounters) {
  const counters = new Map<string, Counters>()
  for (const [what, rule] of Object.entries<Rule>(rules)) {
    for (const kind of kinds) {
      if (rule[kind]) {
        const keyPrefix = `${what}-${kind}`
        counters.set(
          keyPrefix,
          openCounters({ keyPrefix, points: rule[kind], duration: rule.seconds }),
        )
      }
    }
  }

  const countersOf = (what: RateLimitName, kind: Kind) => counters.get(`${what}-${kind}`)

  async function consume(what: RateLimitName, kind: Kind, who: RateLimitSubject, attempts: number) {
    const subject = who[kind]
    if (!subject) return 0
    try {
      await countersOf(what, kind)?.consume(keyOf(subject), attempts)
      return 0
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal
      return Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000))
    }
  }
  async function reward(what: RateLimitName, kind: Kind, who: RateLimitSubject, attempts?: number) {
    if (who[kind]) await countersOf(what, kind)?.reward(keyOf(who[kind]), attempts)
  }

  async function secondsToWait(what: RateLimitName, who: RateLimitSubject, attempts = 1) {
    if (!isOn) return 0
    // A blocked address must not use up the account's attempts.
    const addressSeconds = await consume(what, 'address', who, attempts)
    if (addressSeconds > 0) return addressSeconds
    const seconds = await consume(what, 'account', who, attempts)
    if (seconds > 0) await reward(what, 'address', who, attempts)
    return seconds
  }
  return {
    secondsToWait,
    allow: async (what: RateLimitName, who: RateLimitSubject) =>
      (await secondsToWait(what, who)) === 0,
    async giveBack(what: RateLimitName, who: RateLimitSubject) {
      if (!isOn) return
      for (const kind of kinds) await reward(what, kind, who)
    },
    async reset(what: RateLimitName, account: string) {
      await countersOf(what, 'account')?.delete(keyOf(account))
    },
  }
}

export function tooManyRequests(
  info: RequestInfo,
  seconds = info.retryAfter ?? MINUTE,
  say = tooManyTries,
): { ok: false; status: 429; error: string } {
  info.retryAfter = seconds
  return { ok: false, status: 429, error: say(seconds) }
}

export const attemptsFor = (message: string) =>
  Math.min(20, 1 + Math.floor(Buffer.byteLength(message) / 1500))

type LimitedRequest = { app: { rateLimits: RateLimits }; info: RequestInfo }

export async function limitAttempts(
  { app, info }: LimitedRequest,
  what: RateLimitName,
  account = '',
) {
  const seconds = await app.rateLimits.secondsToWait(what, { address: info.clientAddress, account })
  return seconds > 0 ? tooManyRequests(info, seconds) : null
}

export async function limitSending(
  { app, info }: LimitedRequest,
  what: RateLimitName,
  account: string,
  text = '',
) {
  const who = { address: info.clientAddress, account }
  const seconds = await app.rateLimits.secondsToWait(what, who, attemptsFor(text))
  return seconds > 0 ? tooManyRequests(info, seconds, tooMuchAtOnce) : null
}

const counted = (count: number, unit: string) =>
  count === 1 ? `a${unit === 'hour' ? 'n' : ''} ${unit}` : `${count} ${unit}s`

/** Rounds up, because a customer who waits as long as told must not be refused again. */
export function waitText(seconds: number) {
  if (seconds < 50) return counted(Math.max(1, Math.ceil(seconds)), 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

export const tooManyTries = (seconds: number) =>
  `Too many tries. Please wait ${waitText(seconds)} and try again.`

const tooMuchAtOnce = (seconds: number) =>
  `That was a lot in a short time. Please wait ${waitText(seconds)} and try again.`
