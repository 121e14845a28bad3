/** When a form was handed out, signed, so that programs that answer at once or with a form of long ago can be told from people. */
import { sign, verify } from 'hono/jwt'

export type FormAge = 'fine' | 'too-fast' | 'too-old' | 'forged'
export type FormTime = {
  /** For a hidden field; says nothing but the time, so that a kept page may carry it to many. */
  stamp: (at: number) => Promise<string>
  judge: (stamp: string, now: number) => Promise<FormAge>
}

/** Nobody reads a form and fills it in within two seconds. */
export const LEAST_AGE = 2000
export const MOST_AGE = 24 * 60 * 60_000
const ALGORITHM = 'HS256'
const MAX_LENGTH = 300

export function openFormTime(secret: string): FormTime {
  return {
    stamp: (at) => sign({ at }, secret, ALGORITHM),
    async judge(stamp, now) {
      if (stamp.length > MAX_LENGTH) return 'forged'
      const at = await verify(stamp, secret, ALGORITHM).then(
        (payload) => payload.at,
        () => null,
      )
      // A time to come was given before the clock was set back.
      if (typeof at !== 'number' || at > now) return 'forged'
      if (now - at < LEAST_AGE) return 'too-fast'
      return now - at > MOST_AGE ? 'too-old' : 'fine'
    },
  }
}
