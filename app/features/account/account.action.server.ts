import { redirect } from 'react-router'
import {
  callAuthApi,
  sessionCookie,
  trustDevice,
  type AuthRequest,
} from '#auth/auth-client.server.ts'
import { updateOrder } from '#conversation/conversation.server.ts'
import { readUserDataSummary } from '#auth/user-data-summary.server.ts'
import {
  mayNotify,
  readEmailAddress,
  sendSecurityNotification,
} from '#auth/email-verification/tokens.server.ts'
import {
  listLinkedProviders,
  reauthenticate,
  readPasswordHash,
  readReauthMethod,
} from '#auth/reauthenticate.server.ts'
import { readTwoFactor } from '#auth/two-factor/two-factor.server.ts'
import { shortFileErrorTexts } from '#images/texts.ts'
import { isOwnerId } from '#services/owner-id.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { limitAttempts } from '#services/rate-limits.server.ts'
import { parseName } from '#lib/auth/person-name.ts'
import { recordAccountEvent } from '#services/audit-log.server.ts'
import { readSettings, saveSettings } from '#settings/settings.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { lockUser, setPassword, toEpochMs } from '#services/users.server.ts'
import {
  done,
  refused,
  refusedWith,
  type ActionOutcome,
  type ActionResult,
} from '#ui/action-result.ts'
import { failedResults, type AccountForm } from './account.ts'
import {
  handleEmailChange,
  handleVerificationRequest,
} from '#auth/email-verification/verification.server.ts'
import { providerTexts } from '#auth/oauth/texts.ts'
import { deleteSessions, describeDevice, publishSessionEnds } from '#auth/sessions.server.ts'
import { newSecretId } from '#lib/text/ids.ts'
import { validatePassword } from '#lib/auth/password-policy.server.ts'
import type { Tx } from '#db/schema.ts'
import { downloadArchive } from './data-export/data-export.server.tsx'
import { deleteAccount } from './delete-account/delete-account.server.ts'
import { changePhoto, removePhoto } from '#auth/profile-photo.server.ts'
import { deleteAccountTexts, devicesTexts, passwordTexts, profileTexts } from './texts.ts'

export type Account = Awaited<ReturnType<typeof readAccount>>

export async function readAccount(app: AppServices, self: User) {
  const { sessionId: _, loginExpiresAt: __, ...user } = self
  const reauthMethod = await readReauthMethod(app, self)
  return {
    user,
    devices: await listSessions(app, self),
    address: await readEmailAddress(app, self),
    reauthMethod,
    providers: await listLinkedProviders(app, user.id),
    secondFactor: reauthMethod === 'password' ? await readTwoFactor(app, user.id) : null,
    dataSummary: await readUserDataSummary(app.db, user.id),
  }
}

type Handler = (
  auth: AuthRequest,
  user: User,
  form: FormData,
) => Promise<(ActionOutcome & { to?: string }) | Response>

const failedResult = (form: AccountForm, status = 500, more: Partial<ActionResult> = {}) =>
  refused(status, { ...failedResults[form], ...more })

const orFailedResult =
  (name: AccountForm, failure: string, handler: Handler): Handler =>
  async (auth, user, form) => {
    const outcome = await tryWrite(auth.app.log, failure, () => handler(auth, user, form))
    return 'refusal' in outcome ? failedResult(name) : outcome
  }

export const accountHandlers: Record<AccountForm, Handler> = {
  name: orFailedResult('name', 'a name could not be changed', async (auth, user, form) => {
    const limit = await limitAttempts(auth, 'profile', user.id)
    const refuse = (status: number, error: string) =>
      failedResult('name', status, { field: 'name', error })
    if (limit) return refuse(429, limit.error)
    const name = parseName(formText(form, 'name'))
    if (name === null) return refuse(422, profileTexts.invalidName)
    return (await changeName(auth.app, user.id, name))
      ? done(profileTexts.nameSaved)
      : failedResult('name')
  }),

  photo: orFailedResult('photo', 'a photo could not be changed', async (auth, user, form) => {
    const limit = user.role === 'owner' ? null : await limitAttempts(auth, 'photo', user.id)
    if (limit) return failedResult('photo', 429, { error: limit.error })
    const isRemoval = formText(form, 'intent') === 'remove'
    const change = isRemoval
      ? await removePhoto(auth.app, user.id)
      : await changePhoto(auth.app, user.id, form.get('file'))
    if (change.ok) return done(isRemoval ? profileTexts.photoRemoved : profileTexts.photoSaved)
    if (change.refusal === 'gone') return failedResult('photo')
    return failedResult('photo', 422, {
      error:
        change.refusal === 'no-space' ? profileTexts.noSpace : shortFileErrorTexts[change.refusal],
    })
  }),

  password: orFailedResult('password', 'a password could not be changed', changePassword),

  devices: orFailedResult('devices', 'sessions could not be ended', async (auth, user, form) => {
    const isAll = formText(form, 'intent') === 'others'
    if (isAll && formText(form, 'confirm') !== 'Yes') return refused(400)
    const count = await endSessions(auth.app, user, isAll ? undefined : formText(form, 'id'))
    if (isAll) return done(devicesTexts.othersEnded(count))
    return done(count > 0 ? devicesTexts.ended : devicesTexts.alreadyEnded)
  }),

  async data(auth, { id }) {
    const limit = await limitAttempts(auth, 'export', id)
    if (limit) return refusedWith(limit)
    return (await downloadArchive(auth.app, { id, isForOwner: false })) ?? redirect('/login')
  },

  async delete(auth, user, form) {
    if (isOwnerId(user.id)) return refused(403, { error: deleteAccountTexts.owner })
    const refusal = await reauthenticate(auth, user, form)
    if (refusal) return refusedWith(refusal)
    const deletion = await deleteAccount(auth.app, user.id, 'herself')
    if (!deletion.ok && deletion.refusal !== 'not-found') return failedResult('delete')
    auth.info.responseCookies.push(...(await callAuthApi(auth, '/sign-out', {})).cookies)
    return { ...done(deleteAccountTexts.deleted), to: '/' }
  },

  unlink: orFailedResult('unlink', 'a login provider could not be removed', unlinkProvider),
  email: handleEmailChange,
  verification: handleVerificationRequest,
}

/** Sales, invoices and testimonies keep the old name. [LOGIN-16] */
async function changeName(app: AppServices, userId: string, name: string) {
  const isOwner = isOwnerId(userId)
  const user = await inTransaction(app.db, async (tx) => {
    const before = await lockUser(tx, userId)
    if (!before || before.name === name) return before
    const at = app.now()
    await tx
      .updateTable('user')
      .set({ name, updatedAt: new Date(at) })
      .where('id', '=', userId)
      .execute()
    if (isOwner && (await readSettings(tx)).ownerName !== name) {
      await saveSettings(tx, { ownerName: name }, at)
    }
    await updateOrder(tx, userId, { userName: name })
    await recordAccountEvent(tx, userId, {
      at,
      act: 'change-own-profile',
      name: name || before.email,
      detail: { before: { name: before.name }, after: { name } },
    })
    return before
  })
  if (!user) return false
  app.live.changed('orders', `order:${userId}`, `user:${userId}`)
  if (isOwner) app.live.changed('settings')
  return true
}

async function renewSession(tx: Tx, sessionId: string, at: number) {
  const token = newSecretId() + newSecretId()
  const update = await tx
    .updateTable('session')
    .set({ token, updatedAt: new Date(at) })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return update.numUpdatedRows === 0n ? null : token
}

/** An unverified address gets no email, because it may be a stranger's. [LOGIN-19] */
async function changePassword(auth: AuthRequest, user: User, form: FormData) {
  const { app } = auth
  const newPassword = formText(form, 'newPassword')
  const help = validatePassword(newPassword, user.email)
  if (help !== null) {
    return refused(422, { field: 'newPassword', error: passwordTexts.failed, help })
  }
  const before = await readPasswordHash(app.db, user.id)
  const refusal = await reauthenticate(auth, user, form)
  if (refusal) return refusedWith(refusal)
  const hash = await (await app.auth.$context).password.hash(newPassword)
  const at = app.now()
  const isNotified = await mayNotify(app, user.id, 'password')
  const result = await inTransaction(app.db, async (tx) => {
    const self = await lockUser(tx, user.id)
    if (!self || (await readPasswordHash(tx, user.id)) !== before) return null
    const token = await renewSession(tx, user.sessionId, at)
    if (token === null) return null
    await setPassword(tx, user.id, hash, at)
    await tx
      .deleteFrom('verificationTokens')
      .where('userId', '=', user.id)
      .where('kind', '<>', 'verify')
      .execute()
    const name = self.name || self.email
    await recordAccountEvent(tx, user.id, { at, act: 'change-own-password', name })
    if (self.emailVerified && isNotified) {
      await sendSecurityNotification(tx, app, 'password', self.email)
    }
    return { token, ended: await deleteSessions(tx, user.id, user.sessionId) }
  })
  if (!result) return refused(409, { error: passwordTexts.failed })
  publishSessionEnds(app, result.ended)
  app.outbox.wake()
  auth.info.responseCookies.push(await sessionCookie(app, result.token))
  await trustDevice(auth, user.email)
  return done(passwordTexts.changed)
}

async function unlinkProvider(auth: AuthRequest, user: User, form: FormData) {
  const { app } = auth
  const provider = (await listLinkedProviders(app, user.id)).find(
    ({ id }) => id === formText(form, 'provider'),
  )
  const refusal = await reauthenticate(auth, user, form)
  if (refusal) return refusedWith(refusal)
  const isNotified = provider !== undefined && (await mayNotify(app, user.id, 'provider'))
  const ended = await inTransaction(app.db, async (tx) => {
    const self = await lockUser(tx, user.id)
    const logins = await tx
      .selectFrom('account')
      .select('providerId')
      .where('userId', '=', user.id)
      .execute()
    if (!self || !provider || logins.length < 2) return null
    const deletion = await tx
      .deleteFrom('account')
      .where('userId', '=', user.id)
      .where('providerId', '=', provider.id)
      .executeTakeFirst()
    if (deletion.numDeletedRows === 0n) return null
    if (self.emailVerified && isNotified) {
      await sendSecurityNotification(tx, app, 'unlinked', self.email, provider.name)
    }
    return deleteSessions(tx, user.id, user.sessionId)
  })
  if (!ended) return refused(409, { error: providerTexts.unlinkFailed })
  publishSessionEnds(app, ended)
  app.live.changed(`user:${user.id}`)
  app.outbox.wake()
  return done(providerTexts.unlinked)
}

async function listSessions(app: AppServices, { id, sessionId }: User) {
  const rows = await app.db
    .selectFrom('session')
    .select(['id', 'userAgent', 'createdAt', 'updatedAt', 'expiresAt'])
    .where('userId', '=', id)
    .orderBy('updatedAt', 'desc')
    .execute()
  return rows
    .filter((row) => toEpochMs(row.expiresAt) > app.now())
    .map((row) => ({
      id: row.id,
      ...describeDevice(row.userAgent),
      isThis: row.id === sessionId,
      seenAt: toEpochMs(row.updatedAt),
      since: toEpochMs(row.createdAt),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
}

async function endSessions(app: AppServices, user: User, id?: string) {
  const ids = await inTransaction(app.db, async (tx) => {
    const endedIds =
      id === undefined
        ? await deleteSessions(tx, user.id, user.sessionId)
        : await deleteSession(tx, user, id)
    const detail = { count: endedIds.length }
    if (detail.count > 0) {
      await recordAccountEvent(tx, user.id, { at: app.now(), act: 'end-own-sessions', detail })
    }
    return endedIds
  })
  publishSessionEnds(app, ids)
  if (ids.length > 0) app.live.changed(`user:${user.id}`)
  return ids.length
}

async function deleteSession(tx: Tx, user: User, id: string) {
  const rows = await tx
    .deleteFrom('session')
    .where('userId', '=', user.id)
    .where('id', '!=', user.sessionId)
    .where('id', '=', id)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}
