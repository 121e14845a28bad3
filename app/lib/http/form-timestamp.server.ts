import { jwtVerify, SignJWT } from 'jose'

export type FormTimestamp = ReturnType<typeof createFormTimestamp>

export const MIN_AGE_MS = 2000
export const MAX_AGE_MS = 24 * 60 * 60_000
const MAX_LENGTH = 300

export function createFormTimestamp(secret: string) {
  const key = new TextEncoder().encode(secret)
  return {
    /** A cached page may contain the stamp, because it is only the time. */
    stamp: (at: number) => new SignJWT({ at }).setProtectedHeader({ alg: 'HS256' }).sign(key),
    async judge(stamp: string, now: number) {
      if (stamp.length > MAX_LENGTH) return 'forged'
      const at = await jwtVerify(stamp, key, { algorithms: ['HS256'] }).then(
        ({ payload }) => payload.at,
        () => null,
      )
      if (typeof at !== 'number' || at > now) return 'forged'
      if (now - at < MIN_AGE_MS) return 'too-fast'
      return now - at > MAX_AGE_MS ? 'too-old' : 'fine'
    },
  }
}
