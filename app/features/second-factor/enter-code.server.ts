/** The second step of the owner's login: the code, after the password and before any session (037). */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { askAuth, enter, type Asker } from '#app/features/accounts/ask-auth.server.ts'
import type { User } from '#app/platform/context.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { CODE_IS_INVALID, CODE_TOO_LATE, CODE_USED, readCode } from './second-factor.ts'
import { tellRecoveryCodeUsed } from './tell-owner.server.ts'
import { claimCode } from './used-codes.server.ts'

/** `isOver`: the password has to be typed again. */
export type CodeEntered = { ok: true; user: User } | { ok: false; error: string; status: number; isOver?: true }

const challengeOf = (request: Request): string | undefined =>
  (request.headers.get('cookie') ?? '').split(/;\s*/).find((cookie) => /^[\w.-]*two_factor=./.test(cookie))

/** Whether this browser has given the password lately. */
export const isAskedForCode = (request: Request): boolean => challengeOf(request) !== undefined

/**
 * S-233: one code, once. Tries are limited by address, by login (five) and, since each needs the password, by account (ten in a row).
 * A code of the app that has been used already opens nothing: the session that the library has just made for it ends before anybody has it.
 */
export async function enterCode(asker: Asker, typed: string): Promise<CodeEntered> {
  const { shop, page, request } = asker
  const challenge = challengeOf(request)
  if (!challenge) return { ok: false, status: 401, error: CODE_TOO_LATE, isOver: true }
  const seconds = await shop.limits.secondsToWait('second-factor', { address: page.clientAddress })
  if (seconds > 0) return tooMany(page, seconds)
  const code = readCode(typed)
  if (!code) return { ok: false, status: 422, error: CODE_IS_INVALID }
  // Only the challenge: the cookie of an ended session would be cleared in the same answer as the new one is set.
  const alone = {
    ...asker,
    request: new Request(request.url, { headers: { cookie: challenge, 'user-agent': request.headers.get('user-agent') ?? '' } }),
  }
  const path = code.kind === 'app' ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
  const asked = await askAuth(alone, path, { code: code.code })
  if (asked.status === 429) return tooMany(page, LOCKED)
  if (['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'].includes(asked.code))
    return { ok: false, status: 401, error: CODE_TOO_LATE, isOver: true }
  if (asked.status !== 200) return { ok: false, status: 401, error: CODE_IS_INVALID }
  if (code.kind === 'app' && !(await claimCode(shop.db, ADMIN_ID, code.code, shop.now()))) {
    await askAuth({ ...alone, request: withCookies(request.url, asked.cookies) }, '/sign-out', {})
    return { ok: false, status: 401, error: CODE_USED, isOver: true }
  }
  const user = await enter(asker, asked.cookies)
  await shop.limits.giveBack('second-factor', { address: page.clientAddress })
  if (code.kind === 'recovery') await tellRecoveryCodeUsed(shop, user)
  return { ok: true, user }
}

/** Seconds for which the library takes no code of an account after ten wrong ones. */
const LOCKED = 15 * 60

const withCookies = (url: string, lines: string[]) =>
  new Request(url, { headers: { cookie: lines.map((line) => line.split(';')[0]).join('; ') } })
