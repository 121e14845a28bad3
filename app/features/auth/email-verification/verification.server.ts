/** Confirms and changes email addresses, and resets forgotten passwords, with codes that are sent by email. */
import {
  isTrustedDevice,
  trustDevice,
  type AuthRequest,
} from '#app/features/auth/auth-client.server.ts'
import { reauthenticate } from '#app/features/auth/reauthenticate.server.ts'
import { publishSessionEnds, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { recordAccountEvent } from '#app/services/audit-log.server.ts'
import type { RequestInfo, AppServices, User } from '#app/services/context.ts'
import { isValidEmail, formText } from '#app/lib/http/form-data.server.ts'
import { outageTexts, RETRY_AFTER_SECONDS } from '#app/lib/telemetry/outages.server.ts'
import { validatePassword } from '#app/lib/auth/password-policy.server.ts'
import { tooManyRequests } from '#app/services/rate-limits.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { findUserByEmail, lockUser, setPassword } from '#app/services/users.server.ts'
import { done, refused, refusedWith, type ActionOutcome } from '#app/ui/action-result.ts'
import type { Tx } from '#db/schema.ts'
import { emailRequestResults, verificationTexts } from './texts.ts'
import { loginErrorTexts } from '#app/features/auth/texts.ts'
import { confirmKinds, tokenLifetimesMs, MAX_RESETS_PER_HOUR } from './email-verification.ts'
import type { Confirmation, ConfirmState, ResetState } from './email-verification.ts'
import {
  cancelEmailChanges,
  findToken,
  createToken,
  enqueueVerification,
  sendSecurityNotification,
  readEmailAddress,
  consumeToken,
  type VerificationToken,
} from './verification-tokens.server.ts'

/** One action for each kind of code. An action runs in the transaction that uses up the code, and returns false if the account's address has changed. */
const tokenActions: Record<
  Confirmation['kind'],
  (tx: Tx, app: AppServices, token: VerificationToken) => Promise<boolean>
> = {
  async verify(tx, app, { userId, email }) {
    const before = await setEmailAddress(tx, app, { userId, from: email, to: email })
    // Cancels pending changes of the email address, because another person may have created the account and requested these changes. [S-230]
    if (before && !before.emailVerified) await cancelEmailChanges(tx, userId)
    return before !== null
  },

  /** After a confirmation from the old address, sends a code to the new address. [S-230] */
  async 'change-old'(tx, app, { userId, email, newEmail }) {
    await createToken(tx, app, { kind: 'change-new', userId, email, newEmail })
    return true
  },

  async 'change-new'(tx, app, { userId, email, newEmail }) {
    const before = await setEmailAddress(tx, app, { userId, from: email, to: newEmail! })
    if (!before) return false
    // The conversation gets the new address, but sales keep the old address.
    await tx
      .updateTable('orders')
      .set({ userEmail: newEmail! })
      .where('userId', '=', userId)
      .execute()
    // Codes that were sent to the old address become invalid.
    await tx.deleteFrom('verificationTokens').where('userId', '=', userId).execute()
    if (before.emailVerified) await sendSecurityNotification(tx, app, 'email', email)
    await recordAccountEvent(tx, userId, {
      at: app.now(),
      act: 'change-own-email',
      name: newEmail!,
      also: email,
    })
    return true
  },
}

/** Changes the account's address from `from` to `to`, marks the new address as verified, and returns the account as it was before the change. Returns null if the account's address is not `from`. */
async function setEmailAddress(
  tx: Tx,
  app: AppServices,
  { userId, from, to }: { userId: string; from: string; to: string },
) {
  const before = await lockUser(tx, userId)
  if (before?.email !== from) return null
  const changed = { email: to, emailVerified: true, updatedAt: new Date(app.now()) }
  await tx.updateTable('user').set(changed).where('id', '=', userId).execute()
  return before
}

const emptyConfirmation: ConfirmState = {
  pending: null,
  done: null,
  code: '',
  error: '',
  isConfirmed: false,
}

/** Returns what the page of a code shows. Does not use up the code, because programs that scan emails for malware open every link. */
export async function showConfirmation(
  app: AppServices,
  code: string,
  user: User | null,
): Promise<ConfirmState> {
  if (code === '') return emptyConfirmation
  const token = await findToken(app, confirmKinds, code)
  if (token)
    return {
      ...emptyConfirmation,
      pending: { kind: token.kind, email: token.email, newEmail: token.newEmail ?? '' },
      code,
    }
  const own = user && user.role !== 'guest' ? await readEmailAddress(app, user) : null
  return {
    ...emptyConfirmation,
    code: code.slice(0, 200),
    error: verificationTexts.badCode,
    isConfirmed: own !== null && own.isVerified && !own.change,
  }
}

/** Applies a code, even in a browser in which the user is not logged in. If another account has the new address, the error text does not say so. [LOGIN-18, LOGIN-20, LOGIN-35, LOGIN-50, S-230] */
export async function handleConfirmation(
  app: AppServices,
  info: RequestInfo,
  typed: string,
): Promise<{ state: ConfirmState; status: number }> {
  const again = (error: string, status: number) => ({
    state: { ...emptyConfirmation, code: typed.slice(0, 200), error },
    status,
  })
  const seconds = await app.rateLimits.secondsToWait('code', { address: info.clientAddress })
  if (seconds > 0) return again(tooManyRequests(info, seconds).error, 429)
  const token = await findToken(app, confirmKinds, typed)
  if (!token) return again(verificationTexts.badCode, 422)
  const newEmail = token.newEmail ?? ''
  const isTaken = async () =>
    newEmail !== '' && (await findUserByEmail(app.db, newEmail)) !== undefined
  if (await isTaken()) return again(verificationTexts.notUpdated, 409)
  const confirmed = await inTransaction(
    app.db,
    async (tx) => (await consumeToken(tx, token.id)) && tokenActions[token.kind](tx, app, token),
  ).catch(async (error: unknown) => {
    // If another account got the address in the meantime, the transaction has failed, so the code stays valid.
    if (await isTaken()) return 'taken'
    throw error
  })
  if (confirmed === 'taken') return again(verificationTexts.notUpdated, 409)
  if (!confirmed) return again(verificationTexts.badCode, 422)
  app.outbox.wake()
  app.live.changed('orders', `order:${token.userId}`, `user:${token.userId}`)
  return {
    state: { ...emptyConfirmation, done: { kind: token.kind, email: token.email, newEmail } },
    status: 200,
  }
}

/** Begins a change of the email address, and cancels an earlier change. If the old address is verified, the first email goes to the old address, and otherwise to the new address. Returns null if the change is refused; the page then shows the text of LOGIN-50. [LOGIN-18, S-230] */
export async function startEmailChange(
  app: AppServices,
  userId: string,
  typed: string,
): Promise<'old' | 'new' | null> {
  const newEmail = typed.trim().toLowerCase()
  if (!isValidEmail(newEmail) || newEmail.endsWith('.invalid')) return null
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

/** Starts or cancels a change of the email address. Canceling needs no re-authentication, because the address stays the same. [LOGIN-18, LOGIN-35, LOGIN-50, S-015] */
export async function handleEmailChange(
  auth: AuthRequest,
  user: User,
  form: FormData,
): Promise<ActionOutcome> {
  const { app, info } = auth
  if (formText(form, 'intent') === 'cancel') {
    await cancelEmailChanges(app.db, user.id)
    app.live.changed(`user:${user.id}`)
    return done(emailRequestResults.cancelled)
  }
  const newEmail = formText(form, 'email').trim()
  if (!isValidEmail(newEmail)) return refuseEmailChange(emailRequestResults.noAddress)
  if (newEmail.toLowerCase() === user.email) return refuseEmailChange(emailRequestResults.sameEmail)
  if (!(await app.outbox.canSend())) return refuseEmailChange(emailRequestResults.cannotSend)
  const seconds = await app.rateLimits.secondsToWait('email-change', {
    address: info.clientAddress,
    account: user.id,
  })
  if (seconds > 0) return refusedWith(tooManyRequests(info, seconds))
  const reauthentication = await reauthenticate(auth, user, form)
  if (!reauthentication.ok) return refusedWith(reauthentication)
  const crowded = await app.rateLimits.secondsToWait('email', { account: newEmail })
  if (crowded > 0) return refusedWith(tooManyRequests(info, crowded))
  const waitsFor = await startEmailChange(app, user.id, newEmail)
  if (!waitsFor) return refuseEmailChange(emailRequestResults.otherEmail)
  return done(
    waitsFor === 'old'
      ? emailRequestResults.sentToOld(user.email)
      : emailRequestResults.sent(newEmail),
  )
}

/** Sends a verification email again. If the email could not be sent yet, the response says so, and the outbox tries again later. [LOGIN-20, LOGIN-52, S-014] */
export async function handleVerificationRequest(
  app: AppServices,
  info: RequestInfo,
  user: User,
): Promise<ActionOutcome> {
  const secondsForUser = await app.rateLimits.secondsToWait('verify', {
    address: info.clientAddress,
    account: user.id,
  })
  const seconds =
    secondsForUser || (await app.rateLimits.secondsToWait('email', { account: user.email }))
  if (seconds > 0) {
    const { error, status } = tooManyRequests(info, seconds)
    return refused(status, { error, toasts: [error] })
  }
  try {
    const id = await inTransaction(app.db, (tx) => enqueueVerification(tx, app, user.id))
    if (id === null) return done(verificationTexts.wasVerified)
    if ((await app.outbox.deliverSoon(id)) && (await app.outbox.hasServer()))
      return done(emailRequestResults.sent(user.email))
    return refused(202, { toasts: [verificationTexts.notSent] })
  } catch (error) {
    app.log.error('a verification email could not be written', error)
    return refused(500, { toasts: [verificationTexts.notSent] })
  }
}

async function enqueueReset(app: AppServices, email: string): Promise<void> {
  // Guests have invented addresses that end with ".invalid" and receive no email.
  if (email.endsWith('.invalid') || !(await app.rateLimits.allow('reset', { account: email })))
    return
  const isPosted = await inTransaction(app.db, async (tx) => {
    const found = await findUserByEmail(tx, email)
    // Locks the account, so that concurrent requests cannot exceed the limit.
    const user = found && (await lockUser(tx, found.id))
    if (!user) return false
    const { sent } = await tx
      .selectFrom('verificationTokens')
      .select((is) => is.fn.countAll<number>().as('sent'))
      .where('userId', '=', user.id)
      .where('kind', '=', 'reset')
      .where('createdAt', '>', app.now() - tokenLifetimesMs.reset)
      .executeTakeFirstOrThrow()
    if (Number(sent) >= MAX_RESETS_PER_HOUR) return false
    await createToken(tx, app, { kind: 'reset', userId: user.id, email, newEmail: null })
    return true
  })
  if (isPosted) app.outbox.wake()
  // Only emails count. The transaction does not count them, because on PostgreSQL the count needs another connection.
  else await app.rateLimits.giveBack('reset', { account: email })
}

/** Sets a new password without logging the user in, so that two-factor login still applies. If the password is invalid, the code stays valid. [LOGIN-22, LOGIN-37, LOGIN-53, S-229] */
export async function resetPassword(auth: AuthRequest, code: string, newPassword: string) {
  const { app } = auth
  const token = await findToken(app, ['reset'], code)
  if (!token) return { ok: false, email: '', fault: null } as const
  const { userId, email } = token
  const fault = validatePassword(newPassword, email)
  if (fault !== null) return { ok: false, email, fault } as const
  const wasTrusted = await isTrustedDevice(auth, email)
  const password = await (await app.auth.$context).password.hash(newPassword)
  const at = app.now()
  const done = await inTransaction(app.db, async (tx) => {
    const user =
      (await consumeToken(tx, token.id)) &&
      (await setEmailAddress(tx, app, { userId, from: email, to: email }))
    if (!user) return null
    await setPassword(tx, userId, password, at)
    // A stranger may have linked her own account of a provider. The next login of the user with her own provider links this provider again.
    await tx
      .deleteFrom('account')
      .where('userId', '=', userId)
      .where('providerId', '<>', 'credential')
      .execute()
    const sessions = await deleteSessions(tx, userId, null)
    // Deletes all other codes of the account, because an attacker may have requested them.
    await tx.deleteFrom('verificationTokens').where('userId', '=', userId).execute()
    await sendSecurityNotification(tx, app, 'password', email)
    await recordAccountEvent(tx, userId, { at, act: 'reset-own-password', name: email })
    return { sessions, hasSecondFactor: Boolean(user.twoFactorEnabled) }
  })
  if (!done) return { ok: false, email: '', fault: null } as const
  publishSessionEnds(app, done.sessions)
  app.live.changed(`user:${userId}`)
  app.outbox.wake()
  // With two-factor login, a new device stays untrusted: a person who reads the user's emails must not get more attempts for the code.
  return { ok: true, email, isDeviceTrusted: wasTrusted || !done.hasSecondFactor } as const
}

type ResetOutcome = { state: ResetState; status: number }
type ChooseState = Partial<Extract<ResetState, { step: 'choose' }>>

const chooseStep = (some: ChooseState): ResetState => ({
  step: 'choose',
  sentTo: '',
  email: '',
  code: '',
  error: '',
  fault: null,
  ...some,
})
const truncated = (typed: string) => typed.slice(0, 200)

/** Returns the step that the reset page shows: the first step if `code` is null, and otherwise the step with the code and the new password. Does not use up the code. */
export async function showReset(
  app: AppServices,
  code: string | null,
  user: User | null,
): Promise<ResetState> {
  if (code === null && !(await app.outbox.canSend())) return unavailable(app)
  if (code === null)
    return { step: 'ask', email: user && user.role !== 'guest' ? user.email : '', error: '' }
  if (code === '') return chooseStep({})
  const found = await findToken(app, ['reset'], code)
  return found
    ? chooseStep({ email: found.email, code: truncated(code) })
    : chooseStep({ code: truncated(code), error: verificationTexts.badCode })
}

/** Returns other ways to reach the owner, because the shop cannot send emails. [OWN-113] */
async function unavailable({ db }: AppServices): Promise<ResetState> {
  const { email, phone } = await readSettings(db)
  return { step: 'unavailable', email, phone }
}

export const handleReset = (auth: AuthRequest, form: FormData): Promise<ResetOutcome> =>
  formText(form, 'intent') === 'choose'
    ? handleNewPassword(auth, form)
    : handleResetRequest(auth, formText(form, 'email').trim())

/** Requests a reset. The response says when the limit per IP address is reached, but not when the limit per recipient is reached. [LOGIN-21, S-013, S-228] */
async function handleResetRequest(
  { app, info }: AuthRequest,
  email: string,
): Promise<ResetOutcome> {
  const again = (error: string, status: number): ResetOutcome => ({
    state: { step: 'ask', email: email.slice(0, 254), error },
    status,
  })
  if (!isValidEmail(email)) return again(loginErrorTexts.invalidEmail, 422)
  const seconds = await app.rateLimits.secondsToWait('reset', { address: info.clientAddress })
  if (seconds > 0) return again(tooManyRequests(info, seconds).error, 429)
  if (!(await app.outbox.hasServer())) return { state: await unavailable(app), status: 503 }
  // A background task looks up the account, so that neither the response nor its timing reveals whether the account exists.
  if (
    !app.backgroundTasks.begin('a password reset email could not be written', () =>
      enqueueReset(app, email.toLowerCase()),
    )
  ) {
    info.retryAfter = RETRY_AFTER_SECONDS
    return again(outageTexts.write, 503)
  }
  // If the mail server does not work, the email stays in the outbox until the mail server works again.
  if (!(await app.outbox.canSend())) return { state: await unavailable(app), status: 503 }
  return { state: chooseStep({ sentTo: email }), status: 200 }
}

/** Sets the new password. The device becomes a trusted device, unless the account has two-factor login and did not trust the device before. [LOGIN-22, LOGIN-53, S-238] */
async function handleNewPassword(auth: AuthRequest, form: FormData): Promise<ResetOutcome> {
  const { app, info } = auth
  const code = formText(form, 'code')
  const again = (some: ChooseState, status: number): ResetOutcome => ({
    state: chooseStep({ code: truncated(code), ...some }),
    status,
  })
  const seconds = await app.rateLimits.secondsToWait('code', { address: info.clientAddress })
  if (seconds > 0) return again({ error: tooManyRequests(info, seconds).error }, 429)
  const reset = await resetPassword(auth, code, formText(form, 'password'))
  if (!reset.ok)
    return again({ email: reset.email, error: verificationTexts.badCode, fault: reset.fault }, 422)
  if (reset.isDeviceTrusted) await trustDevice(auth, reset.email)
  return { state: { step: 'done' }, status: 200 }
}
