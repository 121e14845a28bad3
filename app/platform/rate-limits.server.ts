/** How often one address may try a thing; counted in memory. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

export type Limited = 'contact' | 'ticket' | 'message' | 'request' | 'upload' | 'picture' | 'account'
export type RateLimits = {
  /** true: go ahead; false: too many, answer 429. */
  allow: (what: Limited, who: string) => Promise<boolean>
  /** 0: go ahead; else too many, answer 429 with this in Retry-After. */
  secondsToWait: (what: Limited, who: string) => Promise<number>
}

/** tries and the seconds in which they count */
const rules: Record<Limited, { points: number; duration: number }> = {
  contact: { points: 5, duration: 600 },
  ticket: { points: 20, duration: 600 },
  message: { points: 120, duration: 60 },
  request: { points: 30, duration: 60 },
  account: { points: 10, duration: 60 },
  upload: { points: 200, duration: 600 },
  picture: { points: 60, duration: 600 },
}

export function openRateLimits(isOn: boolean): RateLimits {
  const limiters = new Map(Object.entries(rules).map(([what, rule]) => [what, new RateLimiterMemory({ keyPrefix: what, ...rule })]))
  async function secondsToWait(what: Limited, who: string): Promise<number> {
    if (!isOn) return 0
    return limiters
      .get(what)!
      .consume(who)
      .then(
        () => 0,
        (refused: RateLimiterRes | Error) => {
          if (refused instanceof Error) throw refused
          return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
        },
      )
  }
  return { secondsToWait, allow: async (what, who) => (await secondsToWait(what, who)) === 0 }
}
