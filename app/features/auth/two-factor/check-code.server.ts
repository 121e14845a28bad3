import {
  callAuthApi,
  isTrustedDevice,
  toCookieHeader,
  type AuthRequest,
} from '../auth-client.server.ts'
import { verificationTexts } from '../email-verification/texts.ts'
import { mayNotify } from '../email-verification/tokens.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { signatureOf } from '#settings/texts.ts'
import { groupByFour } from '#lib/auth/human-readable-codes.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { newSecretId } from '#lib/text/ids.ts'
import { isOwnerId } from '#services/owner-id.ts'
import { recordAccountEvent } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import {
  limitAttempts,
  tooManyRequests,
  WRONG_CODES_BEFORE_EMAIL,
} from '#services/rate-limits.server.ts'
import { findUser } from '#services/users.server.ts'
import type { Tx } from '#db/schema.ts'
import { twoFactorErrorTexts, userEmailBody, userEmailTexts } from './texts.ts'

type Account = { id: string; email: string }

export const wrongCode = (status: number) => ({
  ok: false as const,
  status,
  error: verificationTexts.badCode,
  field: 'code' as const,
})

export function parseCode(typed: string) {
  const plain = typed.slice(0, 100).toLowerCase().replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(plain)) return { kind: 'app' as const, code: plain }
  return /^[a-z0-9]{12}$/.test(plain)
    ? { kind: 'recovery' as const, code: groupByFour(plain) }
    : null
}

export const verifyPaths = {
  app: '/two-factor/verify-totp',
  recovery: '/two-factor/verify-backup-code',
}

const USED_CODE_MS = 5 * 60_000

/** Returns false for a used code. The primary key accepts only one of concurrent uses. */
export async function markCodeUsed({ db, now }: AppServices, userId: string, code: string) {
  await db
    .deleteFrom('usedCodes')
    .where('usedAt', '<', now() - USED_CODE_MS)
    .execute()
  const insertion = await db
    .insertInto('usedCodes')
    .values({ userId, code, usedAt: now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return insertion.numInsertedOrUpdatedRows === 1n
}

/** A trusted device has no daily limit, so that a stranger cannot lock the user out. */
export async function limitCodes(auth: AuthRequest, { id, email }: Account) {
  // After the daily limit, codes of other devices do not count toward the limit of 15 minutes,
  // because the user's trusted devices share it.
  const seconds = (await isTrustedDevice(auth, email))
    ? 0
    : await auth.app.rateLimits.secondsToWait('second-factor-day', { account: id })
  const limit =
    seconds > 0
      ? tooManyRequests(auth.info, seconds)
      : await limitAttempts(auth, 'second-factor', id)
  return limit && { ...limit, field: 'code' as const }
}

async function acceptCode(auth: AuthRequest, { id, email }: Account, kind: 'app' | 'recovery') {
  const { app, info } = auth
  const { rateLimits } = app
  await rateLimits.giveBack('second-factor', { address: info.clientAddress, account: id })
  if (!(await isTrustedDevice(auth, email))) {
    await rateLimits.giveBack('second-factor-day', { account: id })
  }
  await rateLimits.reset('unreported-wrong-codes', id)
  if (kind === 'recovery') {
    const { length: left } = await readRecoveryCodes(app, id)
    await notifyUser(app, id, 'use-recovery-code', { left })
  }
}

const HOUR_MS = 60 * 60_000

/** better-auth counts wrong codes at logins, not in password prompts. */
async function hasManyWrongLoginCodes({ db }: AppServices, userId: string) {
  const row = await db
    .selectFrom('twoFactor')
    .select('failedVerificationCount')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return Number(row?.failedVerificationCount ?? 0) >= WRONG_CODES_BEFORE_EMAIL
}

function reportWrongCodes(app: AppServices, userId: string) {
  const id = `type-wrong-codes-${userId}-${Math.floor(app.now() / HOUR_MS)}`
  return notifyUser(app, userId, 'type-wrong-codes', {}, id)
}

/** After ten wrong codes in a row, better-auth refuses every code for this time. */
const LOCKED_SECONDS = 15 * 60

/** better-auth would evaluate a session cookie, so the request has only `loginCookies`. */
export async function checkLoginCode(
  auth: AuthRequest,
  loginCookies: readonly string[],
  account: Account,
  typed: string,
): Promise<
  { ok: true; cookies: string[] } | { ok: false; status: number; error: string; isOver?: true }
> {
  const { app, info, request } = auth
  const endLogin = (error: string) => ({ ok: false, status: 401, error, isOver: true }) as const
  const code = parseCode(typed)
  if (!code) return wrongCode(422)
  const limit = await limitCodes(auth, account)
  if (limit) return limit
  const { status, cookies, ...response } = await callAuthApi(
    { ...auth, request: requestWith(request, loginCookies) },
    verifyPaths[code.kind],
    { code: code.code },
    account.email,
  )
  if (status === 429) return tooManyRequests(info, LOCKED_SECONDS)
  if (['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'].includes(response.code)) {
    return endLogin(twoFactorErrorTexts.tooLate)
  }
  if (status !== 200) {
    if (await hasManyWrongLoginCodes(app, account.id)) await reportWrongCodes(app, account.id)
    return wrongCode(401)
  }
  if (code.kind === 'app' && !(await markCodeUsed(app, account.id, code.code))) {
    await callAuthApi({ ...auth, request: requestWith(request, cookies) }, '/sign-out', {})
    return endLogin(twoFactorErrorTexts.used)
  }
  await acceptCode(auth, account, code.kind)
  return { ok: true, cookies }
}

const requestWith = (request: Request, cookies: readonly string[]) =>
  new Request(request.url, {
    headers: {
      cookie: toCookieHeader(cookies),
      'user-agent': request.headers.get('user-agent') ?? '',
    },
  })

export const readRecoveryCodes = async ({ auth }: AppServices, userId: string) =>
  (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes

export async function checkCode(auth: AuthRequest, user: Account, typed: string) {
  const { app } = auth
  const code = parseCode(typed)
  if (!code) return wrongCode(422)
  const limit = await limitCodes(auth, user)
  if (limit) return limit
  const { status } = await callAuthApi(auth, verifyPaths[code.kind], { code: code.code })
  if (status !== 200) {
    if (!(await app.rateLimits.allow('unreported-wrong-codes', { account: user.id }))) {
      await reportWrongCodes(app, user.id)
    }
    return wrongCode(403)
  }
  if (code.kind === 'app' && !(await markCodeUsed(app, user.id, code.code))) return wrongCode(403)
  await acceptCode(auth, user, code.kind)
  return null
}

type NotifiedAction = keyof typeof userEmailTexts

/** Sends only one of two notifications with the same `id`. [S-236] */
export async function notifyUserIn(
  tx: Tx,
  { outbox, now }: Pick<AppServices, 'outbox' | 'now'>,
  userId: string,
  act: NotifiedAction,
  detail: Record<string, unknown> = {},
  id = `${act}-${newSecretId()}`,
) {
  const at = now()
  const settings = await readSettings(tx)
  const { email: to } = (await findUser(tx, userId))!
  const isOwner = isOwnerId(userId)
  const text = userEmailBody({
    name: isOwner ? settings.ownerName : '',
    ...userEmailTexts[act],
    signature: isOwner ? null : signatureOf(settings),
  })
  const subject = `${userEmailTexts[act].subject} (${settings.name})`
  const isNew = await outbox.post(tx, { id, kind: 'account', to, subject, text }, at)
  if (isNew) await recordAccountEvent(tx, userId, { at, act, name: to, detail })
}

export async function notifyUser(
  app: AppServices,
  userId: string,
  act: NotifiedAction,
  detail: Record<string, unknown> = {},
  id?: string,
) {
  if (!(await mayNotify(app, userId, act))) return
  await inTransaction(app.db, (tx) => notifyUserIn(tx, app, userId, act, detail, id))
  app.live.changed('mail')
  app.outbox.wake()
}
