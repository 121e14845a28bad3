import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { callAuthApi, completeSignIn, type AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { publishSessionEnds, deleteSessions, deletePendingTwoFactorLogins } from '#app/features/auth/sessions.server.ts'
import { reauthenticate } from '#app/features/auth/reauthenticate.server.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'
import { tooManyRequests } from '#app/services/rate-limits.server.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import { ownerEmailBody, ownerEmailTexts, twoFactorErrorTexts } from './texts.ts'
import { verificationTexts } from '#app/features/auth/email-verification/texts.ts'
import { authenticatorUrl, isSecret, secretFromUrl, parseCode } from './two-factor.ts'
import { setPassword } from '#app/services/users.server.ts'

/** The shop remembers used codes for this many milliseconds, which is longer than a code is valid. */
const USED_CODE_MS = 5 * 60_000

/** Returns false if the code was used before. If two requests use the same code concurrently, the primary key lets only one succeed. */
async function markCodeUsed({ db, now }: Pick<AppServices, 'db' | 'now'>, code: string): Promise<boolean> {
  await db
    .deleteFrom('usedCodes')
    .where('usedAt', '<', now() - USED_CODE_MS)
    .execute()
  const used = await db
    .insertInto('usedCodes')
    .values({ userId: ADMIN_ID, code, usedAt: now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return used.numInsertedOrUpdatedRows === 1n
}

type NotifiedAction = keyof typeof ownerEmailTexts

/** Records the audit event, and writes an email to the address with which the owner signs in. [S-236] */
async function notifyOwnerIn(
  tx: Tx,
  { outbox, now }: Pick<AppServices, 'outbox' | 'now'>,
  act: NotifiedAction,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const [at, { name, ownerName }] = [now(), await readSettings(tx)]
  const { email } = await tx.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
  const seq = await recordAuditEvent(tx, { at, actor: ADMIN_ID, act, subject: ADMIN_ID, name: email, detail })
  const { subject, text } = ownerEmailTexts[act]
  const notification = {
    id: `${act}-${seq}-${newSecretId()}`,
    kind: 'account',
    to: email,
    subject: `${subject} (${name})`,
    text: ownerEmailBody({ ownerName, subject, text }),
  }
  await outbox.post(tx, notification, at)
}

async function notifyOwner(
  app: Pick<AppServices, 'db' | 'outbox' | 'now' | 'live'>,
  act: NotifiedAction,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await inTransaction(app.db, (tx) => notifyOwnerIn(tx, app, act, detail))
  app.live.changed('mail')
}

const readRecoveryCodes = async ({ auth }: Pick<AppServices, 'auth'>): Promise<string[]> =>
  (await auth.api.viewBackupCodes({ body: { userId: ADMIN_ID } })).backupCodes

export type TwoFactorState = { isOn: boolean; codesLeft: number }
export type SetUp = { key: string; qr: QrDrawing }
type Owner = Pick<User, 'id' | 'email' | 'sessionId'>

export async function readTwoFactor(app: Pick<AppServices, 'db' | 'auth'>): Promise<TwoFactorState> {
  const { twoFactorEnabled } = await app.db
    .selectFrom('user')
    .select('twoFactorEnabled')
    .where('id', '=', ADMIN_ID)
    .executeTakeFirstOrThrow()
  const isOn = Boolean(twoFactorEnabled)
  return { isOn, codesLeft: isOn ? (await readRecoveryCodes(app)).length : 0 }
}

/** `intent` names the form to which an error belongs. */
export type TwoFactorResult = { intent?: string; error?: string; setUp?: SetUp | null; codes?: string[] }
type TwoFactorOutcome = TwoFactorResult & { status?: number }

const changedElsewhere: TwoFactorOutcome = { status: 409, error: twoFactorErrorTexts.changedElsewhere }
const invalidCode = (status: number): TwoFactorOutcome => ({ status, error: verificationTexts.badCode })

async function codeLimit({ app, info }: AuthRequest, { id }: Owner): Promise<TwoFactorOutcome | null> {
  const seconds = await app.rateLimits.secondsToWait('second-factor', { address: info.clientAddress, account: id })
  return seconds > 0 ? tooManyRequests(info, seconds) : null
}

async function createSetUp(app: AppServices, { email }: Owner, key: string): Promise<SetUp> {
  const { name: shopName } = await readSettings(app.db)
  return { key, qr: drawQr(authenticatorUrl({ shopName, email, key })) }
}

/** Writes the audit event and the email, and ends the owner's other sessions, including the session that better-auth has just replaced. */
async function notifyAndEndOtherSessions(
  { app }: AuthRequest,
  { sessionId }: Owner,
  act: 'turn-second-factor-on' | 'turn-second-factor-off',
) {
  const ended = await inTransaction(app.db, async (tx) => {
    await notifyOwnerIn(tx, app, act)
    return deleteSessions(tx, ADMIN_ID, sessionId)
  })
  publishSessionEnds(app, ended)
  app.live.changed('mail')
}

const verifyPaths = { app: '/two-factor/verify-totp', recovery: '/two-factor/verify-backup-code' }

/** Checks password and two-factor code again, and returns null if they are correct. Checks the password first, because the number of wrong codes is limited. */
async function requireReauthentication(auth: AuthRequest, owner: Owner, form: FormData): Promise<TwoFactorOutcome | null> {
  const { app } = auth
  if (!(await readTwoFactor(app)).isOn) return changedElsewhere
  const wait = await codeLimit(auth, owner)
  if (wait) return wait
  const typed = parseCode(formText(form, 'code'))
  if (!typed) return invalidCode(422)
  const reauthentication = await reauthenticate(auth, owner, form)
  if (!reauthentication.ok) return reauthentication
  const { status } = await callAuthApi(auth, verifyPaths[typed.kind], { code: typed.code })
  const isGood = status === 200 && (typed.kind === 'recovery' || (await markCodeUsed(app, typed.code)))
  if (!isGood) return invalidCode(403)
  await app.rateLimits.giveBack('second-factor', { address: auth.info.clientAddress, account: owner.id })
  return null
}

type TwoFactorAction = (auth: AuthRequest, owner: Owner, form: FormData) => Promise<TwoFactorOutcome>

const twoFactorActions: Record<string, TwoFactorAction> = {
  /** Creates a new secret, which replaces a secret that the owner has not confirmed with a code. */
  async begin(auth, owner, form) {
    const reauthentication = await reauthenticate(auth, owner, form)
    if (!reauthentication.ok) return reauthentication
    const { answer } = await callAuthApi(auth, '/two-factor/enable', { password: formText(form, 'password') })
    return answer.totpURI ? { setUp: await createSetUp(auth.app, owner, secretFromUrl(answer.totpURI)) } : changedElsewhere
  },

  /** The first correct code turns two-step login on and ends the owner's other sessions. The response contains the recovery codes. */
  async confirm(auth, owner, form) {
    const { app } = auth
    const key = formText(form, 'key')
    const again = async (refused: TwoFactorOutcome) => ({ ...refused, setUp: isSecret(key) ? await createSetUp(app, owner, key) : null })
    if ((await readTwoFactor(app)).isOn) return changedElsewhere
    const wait = await codeLimit(auth, owner)
    if (wait) return again(wait)
    const typed = parseCode(formText(form, 'code'))
    if (typed?.kind !== 'app') return again(invalidCode(422))
    const response = await callAuthApi(auth, verifyPaths.app, { code: typed.code })
    if (response.code === 'TOTP_NOT_ENABLED') return changedElsewhere
    if (response.status !== 200) return again(invalidCode(422))
    await markCodeUsed(app, typed.code)
    await notifyAndEndOtherSessions(auth, owner, 'turn-second-factor-on')
    return { codes: await readRecoveryCodes(app) }
  },

  async codes(auth, owner, form) {
    const refused = await requireReauthentication(auth, owner, form)
    if (refused) return refused
    const { answer } = await callAuthApi(auth, '/two-factor/generate-backup-codes', { password: formText(form, 'password') })
    if (!answer.backupCodes) return changedElsewhere
    await notifyOwner(auth.app, 'make-recovery-codes')
    return { codes: answer.backupCodes }
  },

  async off(auth, owner, form) {
    const refused = await requireReauthentication(auth, owner, form)
    if (refused) return refused
    const { status } = await callAuthApi(auth, '/two-factor/disable', { password: formText(form, 'password') })
    if (status !== 200) return changedElsewhere
    await notifyAndEndOtherSessions(auth, owner, 'turn-second-factor-off')
    return {}
  },
}

export async function handleTwoFactor(auth: AuthRequest, owner: Owner, form: FormData): Promise<TwoFactorOutcome> {
  const intent = formText(form, 'intent')
  if (!Object.hasOwn(twoFactorActions, intent)) return { intent, error: '', status: 400 }
  return { intent, ...(await twoFactorActions[intent]!(auth, owner, form)) }
}

type CodeResult = { ok: true; user: User } | { ok: false; error: string; status: number; isOver?: true }

const challengeCookie = (request: Request): string | undefined =>
  (request.headers.get('cookie') ?? '').split(/;\s*/).find((cookie) => /^[\w.-]*two_factor=./.test(cookie))

export const isCodeRequired = (request: Request): boolean => challengeCookie(request) !== undefined

/**
 * Checks the two-factor code of a login. Each code works only once: if the code was used before, the session that better-auth has just created
 * ends immediately. A login allows five wrong codes, and the account ten in a row. Attempts are also limited per IP address. [S-233]
 */
export async function verifyLoginCode(auth: AuthRequest, typed: string): Promise<CodeResult> {
  const { app, info, request } = auth
  const challenge = challengeCookie(request)
  if (!challenge) return { ok: false, status: 401, error: twoFactorErrorTexts.tooLate, isOver: true }
  const seconds = await app.rateLimits.secondsToWait('second-factor', { address: info.clientAddress })
  if (seconds > 0) return tooManyRequests(info, seconds)
  const code = parseCode(typed)
  if (!code) return { ok: false, status: 422, error: verificationTexts.badCode }
  // Passes only this login's cookie to better-auth. If better-auth also received the cookie of an ended session, it would clear the session cookie.
  const alone = {
    ...auth,
    request: new Request(request.url, { headers: { cookie: challenge, 'user-agent': request.headers.get('user-agent') ?? '' } }),
  }
  const response = await callAuthApi(alone, verifyPaths[code.kind], { code: code.code })
  if (response.status === 429) return tooManyRequests(info, LOCKED_SECONDS)
  if (['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'].includes(response.code))
    return { ok: false, status: 401, error: twoFactorErrorTexts.tooLate, isOver: true }
  if (response.status !== 200) return { ok: false, status: 401, error: verificationTexts.badCode }
  if (code.kind === 'app' && !(await markCodeUsed(app, code.code))) {
    await callAuthApi({ ...alone, request: withCookies(request.url, response.cookies) }, '/sign-out', {})
    return { ok: false, status: 401, error: twoFactorErrorTexts.used, isOver: true }
  }
  const user = await completeSignIn(auth, response.cookies)
  await app.rateLimits.giveBack('second-factor', { address: info.clientAddress })
  if (code.kind === 'recovery') await notifyOwner(app, 'use-recovery-code', { left: (await readRecoveryCodes(app)).length })
  return { ok: true, user }
}

/** After ten wrong codes, better-auth refuses all codes for this many seconds. */
const LOCKED_SECONDS = 15 * 60

const withCookies = (url: string, lines: string[]) =>
  new Request(url, { headers: { cookie: lines.map((line) => line.split(';')[0]).join('; ') } })

type AdminServices = Pick<AppServices, 'db' | 'outbox' | 'now'>

/** Changes the owner's password and ends her sessions in one transaction. If the shop is running, the change applies from the next request on. [S-236] */
export async function resetAdminPassword(app: AdminServices, hash: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await setPassword(tx, ADMIN_ID, hash, app.now())
    await deleteSessions(tx, ADMIN_ID, null)
    await tx.deleteFrom('verificationTokens').where('userId', '=', ADMIN_ID).execute()
    await notifyOwnerIn(tx, app, 'reset-owner-password')
  })
}

/** Returns false if two-factor login was off. */
export async function removeTwoFactor(app: AdminServices): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const { twoFactorEnabled } = await tx.selectFrom('user').select('twoFactorEnabled').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
    await tx.deleteFrom('twoFactor').where('userId', '=', ADMIN_ID).execute()
    if (!twoFactorEnabled) return false
    await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', ADMIN_ID).execute()
    await deletePendingTwoFactorLogins(tx, ADMIN_ID)
    await notifyOwnerIn(tx, app, 'turn-second-factor-off', { by: 'command' })
    return true
  })
}
