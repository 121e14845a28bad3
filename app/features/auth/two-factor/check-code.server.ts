/** Checks two-factor codes, at the login and before sensitive actions. Wrong codes are limited and reported to the user by email. [S-233, S-236] */
import {
  callAuthApi,
  isTrustedDevice,
  type AuthRequest,
} from '#app/features/auth/auth-client.server.ts'
import { verificationTexts } from '#app/features/auth/email-verification/texts.ts'
import type { AppServices } from '#app/services/context.ts'
import { tooManyRequests, WRONG_CODES_BEFORE_EMAIL } from '#app/services/rate-limits.server.ts'
import { notifyUser } from './notify-user.server.ts'
import { twoFactorErrorTexts } from './texts.ts'
import { parseCode } from './two-factor.ts'

type WrongCode = { ok: false; status: number; error: string; field: 'code' }
export const wrongCode = (status: number, error = verificationTexts.badCode): WrongCode => ({
  ok: false,
  status,
  error,
  field: 'code',
})

export const verifyPaths = {
  app: '/two-factor/verify-totp',
  recovery: '/two-factor/verify-backup-code',
}

/** The shop remembers used codes for this many milliseconds, which is longer than a code is valid. */
const USED_CODE_MS = 5 * 60_000

/** Returns false if the code was used before. If two HTTP requests use the same code concurrently, the primary key lets only one succeed. */
export async function markCodeUsed(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  userId: string,
  code: string,
): Promise<boolean> {
  await db
    .deleteFrom('usedCodes')
    .where('usedAt', '<', now() - USED_CODE_MS)
    .execute()
  const used = await db
    .insertInto('usedCodes')
    .values({ userId, code, usedAt: now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return used.numInsertedOrUpdatedRows === 1n
}

/** Counts an attempt before the code is checked. Returns a refusal if the user has tried too many codes. On a trusted device, attempts do not count for the limit of a day, so that a stranger cannot lock the user out. */
export async function limitCodes(
  auth: AuthRequest,
  { id, email }: { id: string; email: string },
): Promise<WrongCode | null> {
  const { app, info } = auth
  // The limit of a day comes first, so that a stranger who has reached it uses up no attempts of the user.
  let seconds = (await isTrustedDevice(auth, email))
    ? 0
    : await app.rateLimits.secondsToWait('second-factor-day', { account: id })
  if (seconds === 0)
    seconds = await app.rateLimits.secondsToWait('second-factor', {
      address: info.clientAddress,
      account: id,
    })
  return seconds > 0 ? { ...tooManyRequests(info, seconds), field: 'code' } : null
}

/** Subtracts the attempt with the correct code, because only wrong codes are limited. */
async function giveCodeBack(
  auth: AuthRequest,
  { id, email }: { id: string; email: string },
): Promise<void> {
  const { rateLimits } = auth.app
  await rateLimits.giveBack('second-factor', { address: auth.info.clientAddress, account: id })
  if (!(await isTrustedDevice(auth, email)))
    await rateLimits.giveBack('second-factor-day', { account: id })
}

const HOUR_MS = 60 * 60_000

/** better-auth counts the wrong codes at logins, but not those in password prompts. */
async function hasManyWrongLoginCodes({ db }: AppServices, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('twoFactor')
    .select('failedVerificationCount')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return Number(row?.failedVerificationCount ?? 0) >= WRONG_CODES_BEFORE_EMAIL
}

/** Writes an email about wrong codes, at most once per hour. */
async function reportWrongCodes(app: AppServices, userId: string): Promise<void> {
  await notifyUser(
    app,
    userId,
    'type-wrong-codes',
    {},
    `type-wrong-codes-${userId}-${Math.floor(app.now() / HOUR_MS)}`,
  )
}

type LoginCode =
  | { ok: true; cookies: string[] }
  | { ok: false; status: number; error: string; isOver?: true }

/** After ten wrong codes in a row, better-auth refuses all codes for this many seconds. */
const LOCKED_SECONDS = 15 * 60

/**
 * Checks the code of a login that began with the correct password. better-auth gets only `loginCookies`, because it would otherwise also
 * evaluate the session cookie. Returns the cookies of the session that better-auth has created.
 */
export async function checkLoginCode(
  auth: AuthRequest,
  loginCookies: readonly string[],
  account: { id: string; email: string },
  typed: string,
): Promise<LoginCode> {
  const { app, info, request } = auth
  const tooLate = {
    ok: false,
    status: 401,
    error: twoFactorErrorTexts.tooLate,
    isOver: true,
  } as const
  const code = parseCode(typed)
  if (!code) return wrongCode(422)
  const limited = await limitCodes(auth, account)
  if (limited) return limited
  const login = { ...auth, request: requestWith(request, loginCookies) }
  const response = await callAuthApi(
    login,
    verifyPaths[code.kind],
    { code: code.code },
    account.email,
  )
  if (response.status === 429) return tooManyRequests(info, LOCKED_SECONDS)
  if (['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'].includes(response.code))
    return tooLate
  if (response.status !== 200) {
    if (await hasManyWrongLoginCodes(app, account.id)) await reportWrongCodes(app, account.id)
    return wrongCode(401)
  }
  if (code.kind === 'app' && !(await markCodeUsed(app, account.id, code.code))) {
    await callAuthApi({ ...auth, request: requestWith(request, response.cookies) }, '/sign-out', {})
    return { ...tooLate, error: twoFactorErrorTexts.used }
  }
  await giveCodeBack(auth, account)
  await app.rateLimits.reset('unreported-wrong-codes', account.id)
  if (code.kind === 'recovery') await reportRecoveryCode(app, account.id)
  return { ok: true, cookies: response.cookies }
}

/** Returns a request that contains only these cookies of a response, besides the user agent. */
const requestWith = (request: Request, cookies: readonly string[]): Request =>
  new Request(request.url, {
    headers: {
      cookie: cookies.map((line) => line.split(';')[0]).join('; '),
      'user-agent': request.headers.get('user-agent') ?? '',
    },
  })

export const readRecoveryCodes = async (
  { auth }: Pick<AppServices, 'auth'>,
  userId: string,
): Promise<string[]> => (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes
const reportRecoveryCode = async (app: AppServices, userId: string): Promise<void> =>
  notifyUser(app, userId, 'use-recovery-code', {
    left: (await readRecoveryCodes(app, userId)).length,
  })

/** Checks the code that a logged-in user has typed. Returns null if the code is correct. */
export async function checkCode(
  auth: AuthRequest,
  user: { id: string; email: string },
  typedCode: string,
): Promise<WrongCode | null> {
  const { app } = auth
  const typed = parseCode(typedCode)
  if (!typed) return wrongCode(422)
  const limited = await limitCodes(auth, user)
  if (limited) return limited
  const { status } = await callAuthApi(auth, verifyPaths[typed.kind], { code: typed.code })
  if (status !== 200) {
    if (!(await app.rateLimits.allow('unreported-wrong-codes', { account: user.id })))
      await reportWrongCodes(app, user.id)
    return wrongCode(403)
  }
  if (typed.kind === 'app' && !(await markCodeUsed(app, user.id, typed.code))) return wrongCode(403)
  await giveCodeBack(auth, user)
  await app.rateLimits.reset('unreported-wrong-codes', user.id)
  if (typed.kind === 'recovery') await reportRecoveryCode(app, user.id)
  return null
}
