import { ADMIN_ID } from '#app/services/admin-id.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import {
  callAuthApi,
  completeSignIn,
  type AuthRequest,
} from '#app/features/auth/auth-client.server.ts'
import { mayNotify } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import {
  publishSessionEnds,
  deleteSessions,
  deletePendingTwoFactorLogins,
} from '#app/features/auth/sessions.server.ts'
import { reauthenticate } from '#app/features/auth/reauthenticate.server.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import {
  checkLoginCode,
  limitCodes,
  markCodeUsed,
  readRecoveryCodes,
  verifyPaths,
  wrongCode,
} from './check-code.server.ts'
import { notifyUser, notifyUserIn } from './notify-user.server.ts'
import { twoFactorErrorTexts } from './texts.ts'
import { authenticatorUrl, isSecret, secretFromUrl, parseCode } from './two-factor.ts'
import { setPassword } from '#app/services/users.server.ts'

export type TwoFactorState = { isOn: boolean; codesLeft: number }
export type SetUp = { key: string; qr: QrDrawing }
type Account = Pick<User, 'id' | 'email' | 'sessionId' | 'hasSecondFactor'>

export async function readTwoFactor(
  app: Pick<AppServices, 'db' | 'auth'>,
  userId: string,
): Promise<TwoFactorState> {
  const { twoFactorEnabled } = await app.db
    .selectFrom('user')
    .select('twoFactorEnabled')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const isOn = Boolean(twoFactorEnabled)
  return { isOn, codesLeft: isOn ? (await readRecoveryCodes(app, userId)).length : 0 }
}

/** `intent` names the form to which an error belongs. */
export type TwoFactorResult = {
  intent?: string
  error?: string
  field?: 'code'
  setUp?: SetUp | null
  codes?: string[]
}
type TwoFactorOutcome = TwoFactorResult & { status?: number }

const changedElsewhere: TwoFactorOutcome = {
  status: 409,
  error: twoFactorErrorTexts.changedElsewhere,
}
async function createSetUp(app: AppServices, { email }: Account, key: string): Promise<SetUp> {
  const { name: shopName } = await readSettings(app.db)
  return { key, qr: drawQr(authenticatorUrl({ shopName, email, key })) }
}

/** Notifies the user and ends her other sessions, including the session that better-auth has just replaced. */
async function notifyAndEndOtherSessions(
  { app }: AuthRequest,
  { id, sessionId }: Account,
  act: 'turn-second-factor-on' | 'turn-second-factor-off',
) {
  const isNotified = await mayNotify(app, id, act)
  const ended = await inTransaction(app.db, async (tx) => {
    if (isNotified) await notifyUserIn(tx, app, id, act)
    return deleteSessions(tx, id, sessionId)
  })
  publishSessionEnds(app, ended)
  app.live.changed('mail')
  app.outbox.wake()
}

/** Checks the password and a two-factor code again. Returns null if both are correct. */
async function refuseUnlessReauthenticated(
  auth: AuthRequest,
  user: Account,
  form: FormData,
): Promise<TwoFactorOutcome | null> {
  if (!(await readTwoFactor(auth.app, user.id)).isOn) return changedElsewhere
  const reauthentication = await reauthenticate(auth, user, form)
  return reauthentication.ok ? null : reauthentication
}

type TwoFactorAction = (
  auth: AuthRequest,
  user: Account,
  form: FormData,
) => Promise<TwoFactorOutcome>

const twoFactorActions: Record<string, TwoFactorAction> = {
  /** Creates a new secret, which replaces a secret that the owner has not confirmed with a code. */
  async begin(auth, user, form) {
    // A stranger may have registered another person's email address. With two-step login, she could lock that person out for good.
    const { emailVerified } = await auth.app.db
      .selectFrom('user')
      .select('emailVerified')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    if (!emailVerified) return { status: 409, error: twoFactorErrorTexts.emailNotConfirmed }
    const reauthentication = await reauthenticate(auth, user, form)
    if (!reauthentication.ok) return reauthentication
    const { answer } = await callAuthApi(auth, '/two-factor/enable', {
      password: formText(form, 'password'),
    })
    return answer.totpURI
      ? { setUp: await createSetUp(auth.app, user, secretFromUrl(answer.totpURI)) }
      : changedElsewhere
  },

  /** The first correct code turns two-step login on and ends the owner's other sessions. The response contains the recovery codes. */
  async confirm(auth, user, form) {
    const { app } = auth
    const key = formText(form, 'key')
    const again = async (refused: TwoFactorOutcome) => ({
      ...refused,
      setUp: isSecret(key) ? await createSetUp(app, user, key) : null,
    })
    if ((await readTwoFactor(app, user.id)).isOn) return changedElsewhere
    const typed = parseCode(formText(form, 'code'))
    if (typed?.kind !== 'app') return again(wrongCode(422))
    const limited = await limitCodes(auth, user)
    if (limited) return again(limited)
    const response = await callAuthApi(auth, verifyPaths.app, { code: typed.code })
    if (response.code === 'TOTP_NOT_ENABLED') return changedElsewhere
    if (response.status !== 200) return again(wrongCode(422))
    await markCodeUsed(app, user.id, typed.code)
    await notifyAndEndOtherSessions(auth, user, 'turn-second-factor-on')
    return { codes: await readRecoveryCodes(app, user.id) }
  },

  async codes(auth, user, form) {
    const refused = await refuseUnlessReauthenticated(auth, user, form)
    if (refused) return refused
    const { answer } = await callAuthApi(auth, '/two-factor/generate-backup-codes', {
      password: formText(form, 'password'),
    })
    if (!answer.backupCodes) return changedElsewhere
    await notifyUser(auth.app, user.id, 'make-recovery-codes')
    return { codes: answer.backupCodes }
  },

  async off(auth, user, form) {
    const refused = await refuseUnlessReauthenticated(auth, user, form)
    if (refused) return refused
    const { status } = await callAuthApi(auth, '/two-factor/disable', {
      password: formText(form, 'password'),
    })
    if (status !== 200) return changedElsewhere
    await notifyAndEndOtherSessions(auth, user, 'turn-second-factor-off')
    return {}
  },
}

export async function handleTwoFactor(
  auth: AuthRequest,
  user: Account,
  form: FormData,
): Promise<TwoFactorOutcome> {
  const intent = formText(form, 'intent')
  if (!Object.hasOwn(twoFactorActions, intent)) return { intent, error: '', status: 400 }
  return { intent, ...(await twoFactorActions[intent]!(auth, user, form)) }
}

type CodeResult =
  | { ok: true; user: User }
  | { ok: false; error: string; status: number; isOver?: true }

const challengeCookie = (request: Request): string | undefined =>
  (request.headers.get('cookie') ?? '')
    .split(/;\s*/)
    .find((cookie) => /^[\w.-]*two_factor=./.test(cookie))

export const isCodeRequired = (request: Request): boolean => challengeCookie(request) !== undefined

/** Finds the user whose correct password began this login. better-auth stores the random id of the login in the cookie, in front of the signature. */
async function findPendingUser({ db }: AppServices, challenge: string) {
  const identifier = /two_factor=([\w-]+)/.exec(challenge)?.[1] ?? ''
  const logins = db.selectFrom('verification').innerJoin('user', 'user.id', 'verification.value')
  return logins
    .select(['user.id', 'user.email'])
    .where('verification.identifier', '=', identifier)
    .executeTakeFirst()
}

/**
 * Completes a login with its two-factor code. Each code works only once: if the code was used before, the session that better-auth has just created
 * ends immediately. A login allows five wrong codes, and the account ten in a row. Attempts are also limited per IP address and day. [S-233]
 */
export async function verifyLoginCode(auth: AuthRequest, typed: string): Promise<CodeResult> {
  const { app, request } = auth
  const challenge = challengeCookie(request)
  const account = challenge && (await findPendingUser(app, challenge))
  if (!account) return { ok: false, status: 401, error: twoFactorErrorTexts.tooLate, isOver: true }
  const checked = await checkLoginCode(auth, [challenge], account, typed)
  return checked.ok ? { ok: true, user: await completeSignIn(auth, checked.cookies) } : checked
}

type AdminServices = Pick<AppServices, 'db' | 'outbox' | 'now'>

/** Changes the owner's password and ends her sessions in one transaction. If the shop is running, the change applies from the next request on. [S-236] */
export async function resetAdminPassword(app: AdminServices, hash: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await setPassword(tx, ADMIN_ID, hash, app.now())
    await deleteSessions(tx, ADMIN_ID, null)
    await tx.deleteFrom('verificationTokens').where('userId', '=', ADMIN_ID).execute()
    await notifyUserIn(tx, app, ADMIN_ID, 'reset-owner-password')
  })
}

/** Turns two-factor login off for a user who has lost her phone and recovery codes. Returns false if it was off. [S-236] */
export async function removeTwoFactor(app: AdminServices, userId: string): Promise<boolean> {
  return inTransaction(app.db, async (tx) => {
    const { twoFactorEnabled } = await tx
      .selectFrom('user')
      .select('twoFactorEnabled')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await tx.deleteFrom('twoFactor').where('userId', '=', userId).execute()
    if (!twoFactorEnabled) return false
    await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
    await deletePendingTwoFactorLogins(tx, userId)
    await notifyUserIn(tx, app, userId, 'turn-second-factor-off', { by: 'command' })
    return true
  })
}
