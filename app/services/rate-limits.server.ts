/** Limits how often an action may be tried from one IP address and for one account. Attempts are counted in memory, or in PostgreSQL for all processes together. [S-237, S-261] */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js'
import type { RequestInfo } from './context.ts'

/** The maximum number of attempts in `seconds` from one IP address, and for one account. */
type Rule = { seconds: number; address?: number; account?: number }

const MINUTE = 60
const HOUR = 60 * MINUTE

/** After this many wrong two-factor codes in a row, the shop writes an email to the user, because the person who types the codes knows her password. */
export const WRONG_CODES_BEFORE_EMAIL = 5

/** In these rules, `address` is an IP address, and `account` is a uid, a typed email address or a testimony ticket. Many customers may share an IP address, so the limits for `address` are higher. */
const rules = {
  contact: { seconds: 10 * MINUTE, address: 20, account: 5 },
  ticket: { seconds: 10 * MINUTE, address: 20, account: 60 },
  message: { seconds: MINUTE, address: 600, account: 120 },
  request: { seconds: MINUTE, address: 150, account: 30 },
  picture: { seconds: 10 * MINUTE, address: 300, account: 60 },
  photo: { seconds: 10 * MINUTE, address: 100, account: 20 },
  profile: { seconds: 10 * MINUTE, address: 300, account: 60 },
  /** failed sign-ins to one account from one address */
  'sign-in-here': { seconds: 15 * MINUTE, account: 10 },
  /** failed sign-ins to all accounts from one address, except from known devices */
  'sign-in': { seconds: 15 * MINUTE, address: 100 },
  /** failed sign-ins to one account from all addresses, except from known devices */
  'sign-in-anywhere': { seconds: HOUR, account: 50 },
  /** failed sign-ins from a known device, which has signed in to the account before */
  'known-device': { seconds: 15 * MINUTE, account: 10 },
  /** successful sign-ins with a password, whose checks would otherwise delay the sign-ins of all others */
  'successful-sign-in': { seconds: 15 * MINUTE, address: 300, account: 60 },
  registration: { seconds: 10 * MINUTE, address: 60 },
  guest: { seconds: 10 * MINUTE, address: 60 },
  provider: { seconds: 10 * MINUTE, address: 120 },
  link: { seconds: 10 * MINUTE, address: 60, account: 10 },
  /** emails to reset a password, which may annoy a person who did not request them */
  reset: { seconds: HOUR, address: 30, account: 5 },
  verify: { seconds: HOUR, address: 30, account: 5 },
  /** emails of one kind that inform a user about logins and changes of her account */
  notice: { seconds: HOUR, account: 10 },
  'email-change': { seconds: HOUR, address: 30, account: 5 },
  /** confirmation emails to one email address; deleting the account does not reset this count */
  email: { seconds: HOUR, account: 10 },
  /** confirmation emails to new accounts */
  welcome: { seconds: HOUR, address: 20 },
  code: { seconds: 10 * MINUTE, address: 30 },
  /** password prompts before sensitive actions */
  reauthentication: { seconds: 15 * MINUTE, address: 100, account: 10 },
  /** password prompts, also with the correct password, because checking a password takes much processor time */
  'password-check': { seconds: 15 * MINUTE, address: 300, account: 60 },
  /** wrong two-factor codes for one account in a day, except from trusted devices */
  'second-factor-day': { seconds: 24 * HOUR, account: 30 },
  'second-factor': { seconds: 15 * MINUTE, address: 50, account: 10 },
  /** Wrong two-factor codes in password prompts. This rule refuses no code: the codes above the limit are reported by email, at most once per hour. */
  'unreported-wrong-codes': { seconds: 24 * HOUR, account: WRONG_CODES_BEFORE_EMAIL - 1 },
  export: { seconds: HOUR, address: 20, account: 5 },
} satisfies Record<string, Rule>

export type RateLimitName = keyof typeof rules
export type RateLimitSubject = { address?: string; account?: string }

export type RateLimits = ReturnType<typeof createRateLimits>

type Counters = Pick<RateLimiterAbstract, 'consume' | 'reward' | 'delete'>
type OpenCounters = (options: { keyPrefix: string; points: number; duration: number }) => Counters

/** The maximum number of counters, which limits the memory under an attack. It is higher than the number of visitors in an hour. */
const MAX_KEYS = 10_000

/** Counts attempts in memory. If there are too many counters, the least recently used counter is dropped. */
export const createMemoryCounters: OpenCounters = (options) => {
  const counters = new RateLimiterMemory(options)
  const known = new LRUCache<string | number, true>({
    // With the option `max` instead of `maxSize`, lru-cache would reserve 6 MB in advance.
    maxSize: MAX_KEYS,
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
    delete: (key) => counters.delete(key),
  }
}

/** Each process counts in memory for rules of at most this many seconds, because a query for each message would be too slow. */
const MAX_SECONDS_IN_MEMORY = 60

/** Counts attempts in PostgreSQL. While the database is unavailable, each process counts in memory. [S-261] */
export const createPostgresCounters =
  (pool: pg.Pool): OpenCounters =>
  (options) => {
    if (options.duration <= MAX_SECONDS_IN_MEMORY) return createMemoryCounters(options)
    return new RateLimiterPostgres({
      ...options,
      // The name of each statement is removed, because a pooler would mix up named prepared statements.
      storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) },
      storeType: 'pool',
      tableName: 'rateLimits',
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })
  }

const kinds = ['address', 'account'] as const
/** Returns a hash as the key of a counter, because typed email addresses may be long and are personal data. */
const keyOf = (who: string) =>
  createHash('sha256').update(who.toLowerCase()).digest('base64url').slice(0, 22)

/** Returns the number of attempts that a message counts. A long message counts as up to 20 attempts, so that nobody can fill the disk. Each rule that uses this number allows more than 20. */
export const attemptsFor = (message: string): number =>
  Math.min(20, 1 + Math.floor(Buffer.byteLength(message) / 1500))

export function createRateLimits(isOn: boolean, openCounters: OpenCounters = createMemoryCounters) {
  const counters = new Map<string, Counters>()
  for (const [what, rule] of Object.entries<Rule>(rules))
    for (const kind of kinds)
      if (rule[kind]) {
        const keyPrefix = `${what}-${kind}`
        counters.set(
          keyPrefix,
          openCounters({ keyPrefix, points: rule[kind], duration: rule.seconds }),
        )
      }

  async function secondsToWait(
    what: RateLimitName,
    who: RateLimitSubject,
    attempts = 1,
  ): Promise<number> {
    if (!isOn) return 0
    // The address is counted first, so that a blocked address does not use up the attempts of an account. If the account is blocked, the attempt does not count for the address.
    if (who.address) {
      const seconds = await consume(counters.get(`${what}-address`), keyOf(who.address), attempts)
      if (seconds > 0) return seconds
    }
    const seconds = who.account
      ? await consume(counters.get(`${what}-account`), keyOf(who.account), attempts)
      : 0
    if (seconds > 0 && who.address)
      await counters.get(`${what}-address`)?.reward(keyOf(who.address), attempts)
    return seconds
  }
  return {
    /** Counts an attempt, or several for a large request. Returns 0 if the attempt is allowed, and otherwise the seconds until the next attempt is allowed. */
    secondsToWait,
    allow: async (what: RateLimitName, who: RateLimitSubject): Promise<boolean> =>
      (await secondsToWait(what, who)) === 0,
    /** Subtracts a successful attempt from the count, for rules that limit only failures. */
    async giveBack(what: RateLimitName, who: RateLimitSubject): Promise<void> {
      if (!isOn) return
      for (const kind of kinds)
        if (who[kind]) await counters.get(`${what}-${kind}`)?.reward(keyOf(who[kind]))
    },
    async reset(what: RateLimitName, account: string): Promise<void> {
      await counters.get(`${what}-account`)?.delete(keyOf(account))
    },
  }
}

async function consume(
  counters: Counters | undefined,
  key: string,
  attempts: number,
): Promise<number> {
  if (!counters) return 0
  return counters.consume(key, attempts).then(
    () => 0,
    (refused: RateLimiterRes | Error) => {
      if (refused instanceof Error) throw refused
      return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    },
  )
}

/** Creates the action result for a refused attempt. After `callAuthApi`, no `seconds` are needed, because `info` already contains the waiting time. */
export function tooManyRequests(
  info: RequestInfo,
  seconds = info.retryAfter ?? MINUTE,
  say = tooManyTries,
): { ok: false; status: 429; error: string } {
  info.retryAfter = seconds
  return { ok: false, status: 429, error: say(seconds) }
}

const counted = (count: number, unit: string) =>
  count === 1 ? `a${unit === 'hour' ? 'n' : ''} ${unit}` : `${count} ${unit}s`

/** Returns the seconds as text, rounded up, so that a customer who waits this long is not refused again. */
export function waitText(seconds: number): string {
  if (seconds < 50) return counted(Math.max(1, Math.ceil(seconds)), 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

export const tooManyTries = (seconds: number): string =>
  `Too many tries. Please wait ${waitText(seconds)} and try again.`

export const tooMuchAtOnce = (seconds: number): string =>
  `That was a lot in a short time. Please wait ${waitText(seconds)} and try again.`
