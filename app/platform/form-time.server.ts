/** When a form was handed out, signed, so that programs that answer at once or with a form of long ago can be told from people. */
import { jwtVerify, SignJWT } from 'jose'

type FormAge = 'fine' | 'too-fast' | 'too-old' | 'forged'
export type FormTime = ReturnType<typeof openFormTime>

/** Nobody reads a form and fills it in within two seconds. */
export const LEAST_AGE = 2000
export const MOST_AGE = 24 * 60 * 60_000
const MAX_LENGTH = 300

export function openFormTime(secret: string) {
  const key = new TextEncoder().encode(secret)
  return {
    /** For a hidden field; says nothing but the time, so that a kept page may carry it to many. */
    stamp: (at: number): Promise<string> => new SignJWT({ at }).setProtectedHeader({ alg: 'HS256' }).sign(key),
    async judge(stamp: string, now: number): Promise<FormAge> {
      if (stamp.length > MAX_LENGTH) return 'forged'
      const at = await jwtVerify(stamp, key, { algorithms: ['HS256'] }).then(
        ({ payload }) => payload.at,
        () => null,
      )
      // A time to come was given before the clock was set back.
      if (typeof at !== 'number' || at > now) return 'forged'
      if (now - at < LEAST_AGE) return 'too-fast'
      return now - at > MOST_AGE ? 'too-old' : 'fine'
    },
  }
}
