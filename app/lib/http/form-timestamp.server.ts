/** Signs the time at which a form was rendered, to detect bots that submit the form too fast or much too late. */
import { jwtVerify, SignJWT } from 'jose'

type FormAge = 'fine' | 'too-fast' | 'too-old' | 'forged'
export type FormTimestamp = ReturnType<typeof createFormTimestamp>

/** A form that is submitted after fewer milliseconds comes from a bot, because no person reads and fills in a form so fast. */
export const MIN_AGE_MS = 2000
export const MAX_AGE_MS = 24 * 60 * 60_000
const MAX_LENGTH = 300

export function createFormTimestamp(secret: string) {
  const key = new TextEncoder().encode(secret)
  return {
    /** Returns the value of a hidden field. The value contains only the time, so that a cached page may contain this value. */
    stamp: (at: number): Promise<string> =>
      new SignJWT({ at }).setProtectedHeader({ alg: 'HS256' }).sign(key),
    async judge(stamp: string, now: number): Promise<FormAge> {
      if (stamp.length > MAX_LENGTH) return 'forged'
      const at = await jwtVerify(stamp, key, { algorithms: ['HS256'] }).then(
        ({ payload }) => payload.at,
        () => null,
      )
      // If the time is in the future, the server's clock was set back.
      if (typeof at !== 'number' || at > now) return 'forged'
      if (now - at < MIN_AGE_MS) return 'too-fast'
      return now - at > MAX_AGE_MS ? 'too-old' : 'fine'
    },
  }
}
