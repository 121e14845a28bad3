import { parse } from 'bowser'
import { trustDevice, sessionCookie, type AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { sendSecurityNotification } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { reauthenticate, readPasswordHash, type Reauthentication } from '#app/features/auth/reauthenticate.server.ts'
import { publishSessionEnds, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { recordAccountEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import { validatePassword } from '#app/lib/auth/password-policy.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { lockUser, setPassword, toEpochMs } from '#app/services/users.server.ts'
import type { Tx } from '#db/schema.ts'
import { devicesTexts, passwordTexts } from './texts.ts'

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

type PasswordChange = Reauthentication | { ok: false; error: string; help: string; status: number }

/**
 * Changes the password, ends all other sessions, and renews this session's token. Also invalidates all verification tokens, except those that
 * verify the current address. If two requests use the old password concurrently, only one succeeds. The shop sends a notification only to a
 * verified address, because an unverified address may belong to another person. [LOGIN-19, LOGIN-36, LOGIN-51, S-220, S-230]
 */
export async function changePassword(auth: AuthRequest, user: User, form: FormData): Promise<PasswordChange> {
  const { app } = auth
  const newPassword = formText(form, 'newPassword')
  const help = validatePassword(newPassword, user.email)
  if (help !== null) return { ok: false, error: passwordTexts.failed, help, status: 422 }
  const before = await readPasswordHash(app.db, user.id)
  const reauthentication = await reauthenticate(auth, user, form)
  if (!reauthentication.ok) return reauthentication
  const hash = await (await app.auth.$context).password.hash(newPassword)
  const at = app.now()
  const done = await inTransaction(app.db, async (tx) => {
    const self = await lockUser(tx, user.id)
    if (!self || (await readPasswordHash(tx, user.id)) !== before) return null
    const token = await renewSession(tx, user.sessionId, at)
    if (token === null) return null
    await setPassword(tx, user.id, hash, at)
    await tx.deleteFrom('verificationTokens').where('userId', '=', user.id).where('kind', '<>', 'verify').execute()
    await recordAccountEvent(tx, user.id, { at, act: 'change-own-password', name: self.name || self.email })
    if (self.emailVerified) await sendSecurityNotification(tx, app, 'password', self.email)
    return { token, ended: await deleteSessions(tx, user.id, user.sessionId) }
  })
  if (!done) return { ok: false, error: passwordTexts.failed, status: 409 }
  publishSessionEnds(app, done.ended)
  app.outbox.wake()
  auth.info.responseCookies.push(await sessionCookie(app, done.token))
  await trustDevice(auth, user.email)
  return { ok: true }
}

/** The shop reads at most this many characters of a user agent. The user agents of browsers are shorter. */
const MAX_USER_AGENT_LENGTH = 500

/** In the list of devices, these names replace the names that the library bowser gives to operating systems. */
const systemNames: Record<string, string> = { macOS: 'Mac', iOS: 'iPhone' }

/** Returns a text such as "Safari on iPhone", or "Unknown browser". The text contains only names from the library bowser, never a part of the user agent. [S-219] */
export function describeDevice(userAgent: string | null): { name: string; isHandheld: boolean } {
  const { browser, os, platform } = parse((userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH) || ' ')
  const isHandheld = platform.type === 'mobile' || platform.type === 'tablet'
  const system = platform.model === 'iPad' ? 'iPad' : (systemNames[os.name ?? ''] ?? os.name ?? '')
  const name = browser.name || devicesTexts.unknownBrowser
  return { name: system ? devicesTexts.onSystem(name, system) : name, isHandheld }
}

type SessionOwner = Pick<User, 'id' | 'sessionId'>

/** The list shows at most this many devices. "Log Out All Other Devices" also ends the sessions that the list does not show. */
const MAX_SHOWN = 30

/** Lists the current device first, and then the other devices, the most recently used first. [S-219] */
export async function listSessions(app: Pick<AppServices, 'db' | 'now'>, { id, sessionId }: SessionOwner) {
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
      /** When the session was last used. The library better-auth updates this time at most once an hour. */
      seenAt: toEpochMs(row.updatedAt),
      since: toEpochMs(row.createdAt),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
    .slice(0, MAX_SHOWN)
}

/** Ends one or all of the user's other sessions, and returns the number of ended sessions. [S-219] */
export async function endSessions(app: AppServices, user: SessionOwner, which: { id: string } | 'others'): Promise<number> {
  const ids = await inTransaction(app.db, async (tx) => {
    const gone = which === 'others' ? await deleteSessions(tx, user.id, user.sessionId) : await deleteSession(tx, user, which.id)
    if (gone.length > 0) await recordAccountEvent(tx, user.id, { at: app.now(), act: 'end-own-sessions', detail: { count: gone.length } })
    return gone
  })
  publishSessionEnds(app, ids)
  if (ids.length > 0) app.live.changed(`user:${user.id}`)
  return ids.length
}

async function deleteSession(tx: Tx, user: SessionOwner, id: string): Promise<string[]> {
  const own = tx.deleteFrom('session').where('userId', '=', user.id).where('id', '!=', user.sessionId)
  return (await own.where('id', '=', id).returning('id').execute()).map((row) => row.id)
}
