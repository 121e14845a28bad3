import { canonicalEmail, isEmailAddress } from '#lib/text/email-address.server.ts'
import { isTrustedDevice, trustDevice, type AuthRequest } from '../auth-client.server.ts'
import { reauthenticate } from '../reauthenticate.server.ts'
import { publishSessionEnds } from '../sessions.server.ts'
import { updateOrder } from '#conversation/conversation.server.ts'
import { recordAccountEvent } from '#services/audit-log.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { outageTexts, RETRY_AFTER_SECONDS } from '#lib/telemetry/outages.server.ts'
import { validatePassword } from '#lib/auth/password-policy.server.ts'
import { limitAttempts } from '#services/rate-limits.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { countRows } from '#lib/db/count-rows.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { findUserByEmail, lockUser } from '#services/users.server.ts'
import { done, refused, refusedWith } from '#ui/action-result.ts'
import type { Tx } from '#db/schema.ts'
import { replacePassword } from './replace-password.server.ts'
import { emailRequestResults, verificationTexts } from './texts.ts'
import { loginErrorTexts } from '../texts.ts'
import {
  cancelEmailChanges,
  deleteTokensOf,
  findToken,
  createToken,
  enqueueVerification,
  sendSecurityNotification,
  readEmailAddress,
  consumeToken,
  tokenLifetimesMs,
  type VerificationToken,
} from './tokens.server.ts'

type ConfirmKind = 'verify' | 'change-old' | 'change-new'
export type Confirmation = Pick<VerificationToken<ConfirmKind>, 'kind' | 'email' | 'newEmail'>

/** Without a session of the account, the confirmation asks for a new password. [S-485] */
type PendingConfirmation = Confirmation & { needsPassword: boolean }

export type ConfirmState = {
  pending?: PendingConfirmation
  done?: Confirmation & { hasNewPassword: boolean }
  code?: string
  error?: string
  fault?: string
  isConfirmed?: boolean
}

export type ResetState =
  | { step: 'ask'; email: string; error?: string }
  | {
      step: 'choose'
      sentTo?: string
      email?: string
      code?: string
      error?: string
      fault?: string | null
    }
  | { step: 'done' }
  | { step: 'unavailable'; email: string; phone: string }

/** Further requests get the same answer, but no email. [S-228] */
const MAX_RESETS_PER_HOUR = 3

const tokenActions: Record<
  ConfirmKind,
  (tx: Tx, app: AppServices, token: VerificationToken) => Promise<boolean>
> = {
  async verify(tx, app, token) {
    const before = await setEmailAddress(tx, app, token)
    // Somebody else may have registered with the address and requested these changes.
    if (before && !before.emailVerified) await cancelEmailChanges(tx, token.userId)
    return before !== null
  },

  async 'change-old'(tx, app, { userId, email, newEmail }) {
    await createToken(tx, app, { kind: 'change-new', userId, email, newEmail })
    return true
  },

  async 'change-new'(tx, app, token) {
    const { userId, email, newEmail } = token
    const before = await setEmailAddress(tx, app, token, newEmail)
    if (!before) return false
    await updateOrder(tx, userId, { userEmail: newEmail })
    await deleteTokensOf(tx, userId)
    if (before.emailVerified) await sendSecurityNotification(tx, app, 'email', email)
    await recordAccountEvent(tx, userId, {
      at: app.now(),
      act: 'change-own-email',
      name: newEmail,
      also: email,
    })
    return true
  },
}

async function setEmailAddress(
  tx: Tx,
  app: AppServices,
  { userId, email }: VerificationToken,
  newEmail = email,
) {
  const before = await lockUser(tx, userId)
  if (before?.email !== email) return null
  await tx
    .updateTable('user')
    .set({ email: newEmail, emailVerified: true, updatedAt: new Date(app.now()) })
    .where('id', '=', userId)
    .execute()
  return before
}

/** An email's code proves that the address is the user's, but a link from the owner does not. */
async function accountOf(tx: Tx, app: AppServices, token: VerificationToken) {
  if (token.kind === 'reset') return setEmailAddress(tx, app, token)
  const user = await lockUser(tx, token.userId)
  return user?.email === token.email ? user : null
}

const findConfirmToken = (app: AppServices, code: string) =>
  findToken(app, ['verify', 'change-old', 'change-new'], code)

const truncated = (typed: string) => typed.slice(0, 200)

/** Opening the link does not use up the code, because mail scanners open links. */
export async function showConfirmation(
  app: AppServices,
  code: string,
  user: User | null,
): Promise<ConfirmState> {
  if (code === '') return {}
  const token = await findConfirmToken(app, code)
  if (token) return { pending: toPending(token, user), code }
  const address = user && user.role !== 'guest' ? await readEmailAddress(app, user) : null
  return {
    code: truncated(code),
    error: verificationTexts.badCode,
    isConfirmed: address !== null && address.isVerified && !address.change,
  }
}

const toConfirmation = ({ kind, email, newEmail }: Confirmation) => ({ kind, email, newEmail })

const toPending = (token: VerificationToken<ConfirmKind>, user: User | null) => ({
  ...toConfirmation(token),
  needsPassword: token.kind !== 'change-old' && token.userId !== user?.id,
})

type ConfirmAnswer = { answer: ConfirmState; status: number }

export async function handleConfirmation(
  auth: AuthRequest,
  user: User | null,
  form: FormData,
): Promise<ConfirmAnswer> {
  const code = formText(form, 'code')
  const limit = await limitAttempts(auth, 'code')
  if (limit) return refuseConfirmation(code, limit.error, 429)
  const token = await findConfirmToken(auth.app, code)
  if (!token) return refuseConfirmation(code, verificationTexts.badCode, 422)
  const pending = toPending(token, user)
  if (!pending.needsPassword) return confirmEmail(auth, token, code, null)
  if (!form.has('password')) return { answer: { pending, code: truncated(code) }, status: 200 }
  const password = formText(form, 'password')
  const fault = validatePassword(password, token.newEmail || token.email)
  if (fault === null) return confirmEmail(auth, token, code, password)
  const error = loginErrorTexts.weakPassword
  return { answer: { pending, code: truncated(code), error, fault }, status: 422 }
}

const refuseConfirmation = (code: string, error: string, status: number): ConfirmAnswer => ({
  answer: { code: truncated(code), error },
  status,
})

/** The answer must not reveal that another account has the new address. [LOGIN-18] */
async function confirmEmail(
  auth: AuthRequest,
  token: VerificationToken<ConfirmKind>,
  code: string,
  newPassword: string | null,
): Promise<ConfirmAnswer> {
  const { app } = auth
  const { id, kind, userId, newEmail } = token
  const isTaken = async () =>
    newEmail !== '' && (await findUserByEmail(app.db, newEmail)) !== undefined
  if (await isTaken()) return refuseConfirmation(code, verificationTexts.notUpdated, 409)
  const hash = newPassword === null ? null : await hashPassword(app, newPassword)
  const sessions = await inTransaction(app.db, async (tx) => {
    if (!(await consumeToken(tx, id)) || !(await tokenActions[kind](tx, app, token))) return null
    return hash === null
      ? []
      : replacePassword(tx, app, { userId, email: newEmail || token.email, hash })
  }).catch(async (error: unknown) => {
    // The transaction is rolled back, so the code of a taken address is not used up.
    if (await isTaken()) return 'taken' as const
    throw error
  })
  if (sessions === 'taken') return refuseConfirmation(code, verificationTexts.notUpdated, 409)
  if (!sessions) return refuseConfirmation(code, verificationTexts.badCode, 422)
  publishSessionEnds(app, sessions)
  app.outbox.wake()
  app.live.changed('orders', `order:${userId}`, `user:${userId}`)
  const done = { ...toConfirmation(token), hasNewPassword: hash !== null }
  return { answer: { done }, status: 200 }
}

const hashPassword = async ({ auth }: AppServices, password: string) =>
  (await auth.$context).password.hash(password)

/**
 * Sends the first email to the old address if it is verified, otherwise to the new one. Returns
 * null if the change is refused. [LOGIN-18]
 */
export async function startEmailChange(app: AppServices, userId: string, typed: string) {
  const newEmail = canonicalEmail(typed)
  if (!isEmailAddress(newEmail) || newEmail.endsWith('.invalid')) return null
  const waitsFor = await inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || user.isAnonymous || (await findUserByEmail(tx, newEmail))) return null
    await cancelEmailChanges(tx, userId)
    const first = user.emailVerified ? 'old' : 'new'
    await createToken(tx, app, { kind: `change-${first}`, userId, email: user.email, newEmail })
    return first
  }).catch((error: unknown) => {
    app.log.error('an email change could not be started', error)
    return null
  })
  if (waitsFor) {
    app.outbox.wake()
    app.live.changed(`user:${userId}`)
  }
  return waitsFor
}

const refuseEmailChange = (help: string) =>
  refused(422, { field: 'email', error: verificationTexts.notUpdated, help })

export async function handleEmailChange(auth: AuthRequest, user: User, form: FormData) {
  const { app } = auth
  if (formText(form, 'intent') === 'cancel') {
    await cancelEmailChanges(app.db, user.id)
    app.live.changed(`user:${user.id}`)
    return done(emailRequestResults.cancelled)
  }
  const newEmail = formText(form, 'email').trim()
  if (!isEmailAddress(newEmail)) return refuseEmailChange(emailRequestResults.noAddress)
  if (canonicalEmail(newEmail) === user.email) {
    return refuseEmailChange(emailRequestResults.sameEmail)
  }
  if (!(await app.outbox.canSend())) return refuseEmailChange(emailRequestResults.cannotSend)
  const limit = await limitAttempts(auth, 'email-change', user.id)
  if (limit) return refusedWith(limit)
  const refusal = await reauthenticate(auth, user, form)
  if (refusal) return refusedWith(refusal)
  const mailboxLimit = await limitAttempts(auth, 'email', newEmail)
  if (mailboxLimit) return refusedWith(mailboxLimit)
  const waitsFor = await startEmailChange(app, user.id, newEmail)
  if (!waitsFor) return refuseEmailChange(emailRequestResults.otherEmail)
  return done(
    waitsFor === 'old'
      ? emailRequestResults.sentToOld(user.email)
      : emailRequestResults.sent(newEmail),
  )
}

export async function handleVerificationRequest(auth: AuthRequest, user: User) {
  const { app } = auth
  const limit =
    (await limitAttempts(auth, 'verify', user.id)) ??
    (await limitAttempts(auth, 'email', user.email))
  if (limit) return refusedWith({ ...limit, toasts: [limit.error] })
  try {
    const id = await inTransaction(app.db, (tx) => enqueueVerification(tx, app, user.id))
    if (id === null) return done(verificationTexts.wasVerified)
    if ((await app.outbox.deliverSoon(id)) && (await app.outbox.hasServer())) {
      return done(emailRequestResults.sent(user.email))
    }
    return refused(202, { toasts: [verificationTexts.notSent] })
  } catch (error) {
    app.log.error('a verification email could not be written', error)
    return refused(500, { toasts: [verificationTexts.notSent] })
  }
}

export async function showReset(
  app: AppServices,
  code: string | null,
  user: User | null,
): Promise<ResetState> {
  if (code === null && !(await app.outbox.canSend())) return unavailable(app)
  if (code === null) return { step: 'ask', email: user && user.role !== 'guest' ? user.email : '' }
  if (code === '') return { step: 'choose' }
  const token = await findToken(app, ['reset', 'owner-reset'], code)
  return {
    step: 'choose',
    code: truncated(code),
    ...(token ? { email: token.email } : { error: verificationTexts.badCode }),
  }
}

async function unavailable({ db }: AppServices) {
  const { email, phone } = await readSettings(db)
  return { step: 'unavailable' as const, email, phone }
}

type ResetOutcome = { answer: ResetState; status: number }

export const handleReset = (auth: AuthRequest, form: FormData) =>
  formText(form, 'intent') === 'choose'
    ? handleNewPassword(auth, form)
    : handleResetRequest(auth, form)

async function handleResetRequest(auth: AuthRequest, form: FormData): Promise<ResetOutcome> {
  const { app, info } = auth
  const email = formText(form, 'email').trim()
  const refuse = (error: string, status: number): ResetOutcome => ({
    answer: { step: 'ask', email: email.slice(0, 254), error },
    status,
  })
  if (!isEmailAddress(email)) return refuse(loginErrorTexts.invalidEmail, 422)
  const limit = await limitAttempts(auth, 'reset')
  if (limit) return refuse(limit.error, 429)
  if (!(await app.outbox.hasServer())) return { answer: await unavailable(app), status: 503 }
  // Neither response nor timing may reveal whether the account exists.
  const isBegun = app.backgroundTasks.begin('a password reset email could not be written', () =>
    enqueueReset(app, canonicalEmail(email)),
  )
  if (!isBegun) {
    info.retryAfter = RETRY_AFTER_SECONDS
    return refuse(outageTexts.write, 503)
  }
  if (!(await app.outbox.canSend())) return { answer: await unavailable(app), status: 503 }
  return { answer: { step: 'choose', sentTo: email }, status: 200 }
}

async function enqueueReset(app: AppServices, email: string) {
  // Guests have invented addresses that end with ".invalid".
  if (email.endsWith('.invalid') || !(await app.rateLimits.allow('reset', { account: email }))) {
    return
  }
  const isPosted = await inTransaction(app.db, async (tx) => {
    const account = await findUserByEmail(tx, email)
    // The lock keeps concurrent requests below the limit.
    const user = account && (await lockUser(tx, account.id))
    if (!user) return false
    const resets = tx
      .selectFrom('verificationTokens')
      .where('userId', '=', user.id)
      .where('kind', '=', 'reset')
      .where('createdAt', '>', app.now() - tokenLifetimesMs.reset)
    if ((await countRows(resets)) >= MAX_RESETS_PER_HOUR) return false
    await createToken(tx, app, { kind: 'reset', userId: user.id, email })
    return true
  })
  if (isPosted) app.outbox.wake()
  // On PostgreSQL, `giveBack` needs another connection, so the transaction must have ended.
  else await app.rateLimits.giveBack('reset', { account: email })
}

/** The user must still log in, so that two-factor login applies. [LOGIN-22] */
async function handleNewPassword(auth: AuthRequest, form: FormData): Promise<ResetOutcome> {
  const { app } = auth
  const code = formText(form, 'code')
  const newPassword = formText(form, 'password')
  const refuse = (
    error: string,
    status: number,
    more: { email?: string; fault?: string } = {},
  ): ResetOutcome => ({ answer: { step: 'choose', code: truncated(code), error, ...more }, status })
  const limit = await limitAttempts(auth, 'code')
  if (limit) return refuse(limit.error, 429)
  const token = await findToken(app, ['reset', 'owner-reset'], code)
  if (!token) return refuse(verificationTexts.badCode, 422)
  const { userId, email } = token
  const fault = validatePassword(newPassword, email)
  if (fault !== null) return refuse(verificationTexts.badCode, 422, { email, fault })
  const wasTrusted = await isTrustedDevice(auth, email)
  const hash = await hashPassword(app, newPassword)
  const result = await inTransaction(app.db, async (tx) => {
    const user = (await consumeToken(tx, token.id)) && (await accountOf(tx, app, token))
    if (!user) return null
    const sessions = await replacePassword(tx, app, { userId, email, hash })
    return { sessions, hasSecondFactor: user.twoFactorEnabled }
  })
  if (!result) return refuse(verificationTexts.badCode, 422)
  publishSessionEnds(app, result.sessions)
  app.live.changed(`user:${userId}`)
  app.outbox.wake()
  // A thief of the mailbox must not get the additional two-factor attempts of a trusted device.
  if (wasTrusted || !result.hasSecondFactor) await trustDevice(auth, email)
  return { answer: { step: 'done' }, status: 200 }
}
