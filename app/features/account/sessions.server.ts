import { describeDevice } from '#app/features/auth/describe-device.server.ts'
import {
  trustDevice,
  sessionCookie,
  type AuthRequest,
} from '#app/features/auth/auth-client.server.ts'
import {
  mayNotify,
  sendSecurityNotification,
} from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { providerTexts } from '#app/features/auth/oauth/texts.ts'
import {
  listLinkedProviders,
  reauthenticate,
  readPasswordHash,
  type Reauthentication,
} from '#app/features/auth/reauthenticate.server.ts'
import { publishSessionEnds, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { recordAccountEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import { validatePassword } from '#app/lib/auth/password-policy.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { lockUser, setPassword, toEpochMs } from '#app/services/users.server.ts'
import type { Tx } from '#db/schema.ts'
import { passwordTexts } from './texts.ts'

/** Replaces the session's token. Returns the new token, or null if the session has ended. The caller must send a new cookie after the commit. */
async function renewSession(tx: Tx, sessionId: string, at: number): Promise<string | null> {
  const token = newSecretId() + newSecretId()
  const renewed = await tx
    .updateTable('session')
    .set({ token, updatedAt: new Date(at) })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 0n ? null : token
}

type PasswordChange =
  | Reauthentication
  | { ok: false; field: 'newPassword'; error: string; help: string; status: number }

/**
 * Changes the password, ends all other sessions, and renews this session's token. Also invalidates all verification tokens, except those that
 * verify the current address. If two requests use the old password concurrently, only one succeeds. The shop sends a notification only to a
 * verified address, because an unverified address may belong to another person. [LOGIN-19, LOGIN-36, LOGIN-51, S-220, S-230]
 */
export async function changePassword(
  auth: AuthRequest,
  user: User,
  form: FormData,
): Promise<PasswordChange> {
  const { app } = auth
  const newPassword = formText(form, 'newPassword')
  const help = validatePassword(newPassword, user.email)
  if (help !== null)
    return { ok: false, field: 'newPassword', error: passwordTexts.failed, help, status: 422 }
  const before = await readPasswordHash(app.db, user.id)
  const reauthentication = await reauthenticate(auth, user, form)
  if (!reauthentication.ok) return reauthentication
  const hash = await (await app.auth.$context).password.hash(newPassword)
  const at = app.now()
  const isNotified = await mayNotify(app, user.id, 'password')
  const done = await inTransaction(app.db, async (tx) => {
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
    await recordAccountEvent(tx, user.id, {
      at,
      act: 'change-own-password',
      name: self.name || self.email,
    })
    if (self.emailVerified && isNotified)
      await sendSecurityNotification(tx, app, 'password', self.email)
    return { token, ended: await deleteSessions(tx, user.id, user.sessionId) }
  })
  if (!done) return { ok: false, error: passwordTexts.failed, status: 409 }
  publishSessionEnds(app, done.ended)
  app.outbox.wake()
  auth.info.responseCookies.push(await sessionCookie(app, done.token))
  await trustDevice(auth, user.email)
  return { ok: true }
}

/**
 * Removes a provider from the account, so that nobody can log in with it any more, and ends all other sessions. The account must have a password
 * or another provider, so that the user can still log in. [S-350]
 */
export async function unlinkProvider(
  auth: AuthRequest,
  user: User,
  form: FormData,
): Promise<Reauthentication> {
  const { app } = auth
  const provider = (await listLinkedProviders(app, user.id)).find(
    ({ id }) => id === formText(form, 'provider'),
  )
  const reauthentication = await reauthenticate(auth, user, form)
  if (!reauthentication.ok) return reauthentication
  const isNotified = provider !== undefined && (await mayNotify(app, user.id, 'provider'))
  const ended = await inTransaction(app.db, async (tx) => {
    const self = await lockUser(tx, user.id)
    const ways = await tx
      .selectFrom('account')
      .select('providerId')
      .where('userId', '=', user.id)
      .execute()
    if (!self || !provider || ways.length < 2) return null
    const own = tx
      .deleteFrom('account')
      .where('userId', '=', user.id)
      .where('providerId', '=', provider.id)
    if ((await own.executeTakeFirst()).numDeletedRows === 0n) return null
    if (self.emailVerified && isNotified)
      await sendSecurityNotification(tx, app, { unlinked: provider.name }, self.email)
    return deleteSessions(tx, user.id, user.sessionId)
  })
  if (!ended) return { ok: false, error: providerTexts.unlinkFailed, status: 409 }
  publishSessionEnds(app, ended)
  app.live.changed(`user:${user.id}`)
  app.outbox.wake()
  return { ok: true }
}

type SessionOwner = Pick<User, 'id' | 'sessionId'>

/** Lists the user's sessions with the current session first. The other sessions are sorted by the time of their last use, newest first. [S-219] */
export async function listSessions(
  app: Pick<AppServices, 'db' | 'now'>,
  { id, sessionId }: SessionOwner,
) {
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
      /** UTC milliseconds of the last use of the session. The library better-auth updates this time at most once an hour. */
      seenAt: toEpochMs(row.updatedAt),
      since: toEpochMs(row.createdAt),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
}

/** Ends one or all of the user's sessions except the current session. Returns the number of ended sessions. [S-219] */
export async function endSessions(
  app: AppServices,
  user: SessionOwner,
  which: { id: string } | 'others',
): Promise<number> {
  const ids = await inTransaction(app.db, async (tx) => {
    const gone =
      which === 'others'
        ? await deleteSessions(tx, user.id, user.sessionId)
        : await deleteSession(tx, user, which.id)
    if (gone.length > 0)
      await recordAccountEvent(tx, user.id, {
        at: app.now(),
        act: 'end-own-sessions',
        detail: { count: gone.length },
      })
    return gone
  })
  publishSessionEnds(app, ids)
  if (ids.length > 0) app.live.changed(`user:${user.id}`)
  return ids.length
}

async function deleteSession(tx: Tx, user: SessionOwner, id: string): Promise<string[]> {
  const own = tx
    .deleteFrom('session')
    .where('userId', '=', user.id)
    .where('id', '!=', user.sessionId)
  return (await own.where('id', '=', id).returning('id').execute()).map((row) => row.id)
}
