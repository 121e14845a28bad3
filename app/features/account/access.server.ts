/** How an account is opened: its password, and the sessions on its devices. */
import { parse } from 'bowser'
import { rememberDevice, sessionCookie, type Asker } from '#app/features/auth/auth-client.server.ts'
import { postNotice } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { proveItsYou, readPasswordHash, type Proof } from '#app/features/auth/reauthenticate.server.ts'
import { closeSessions, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { faultOfPassword } from '#app/platform/password-policy.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { lockUser, setPassword, libraryTime } from '#app/platform/users.server.ts'
import type { Tx } from '#db/schema.ts'
import { PASSWORD_NOT_UPDATED } from './account.ts'

/** The new token; null when the session has ended meanwhile. The caller sends the cookie after the commit. */
async function renewSession(tx: Tx, sessionId: string, at: number): Promise<string | null> {
  const token = newSecretId() + newSecretId()
  const renewed = await tx
    .updateTable('session')
    .set({ token, updatedAt: new Date(at) })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 0n ? null : token
}

type Changed = Proof | { ok: false; error: string; help: string; status: number }

/**
 * LOGIN-19, LOGIN-36, LOGIN-51, S-220: all other sessions and letters with codes end (S-230), this session gets a new token. Of two at once, both
 * proven by the old password, one wins. Only a confirmed address hears of it: at another one somebody else may read.
 */
export async function changePassword(asker: Asker, user: User, form: FormData): Promise<Changed> {
  const { shop } = asker
  const wanted = textOf(form, 'newPassword')
  const help = faultOfPassword(wanted, user.email)
  if (help !== null) return { ok: false, error: PASSWORD_NOT_UPDATED, help, status: 422 }
  const before = await readPasswordHash(shop.db, user.id)
  const proof = await proveItsYou(asker, user, form)
  if (!proof.ok) return proof
  const hash = await (await shop.auth.$context).password.hash(wanted)
  const at = shop.now()
  const done = await transact(shop.db, async (tx) => {
    const self = await lockUser(tx, user.id)
    if (!self || (await readPasswordHash(tx, user.id)) !== before) return null
    const token = await renewSession(tx, user.sessionId, at)
    if (token === null) return null
    await setPassword(tx, user.id, hash, at)
    await tx.deleteFrom('addressProofs').where('userId', '=', user.id).where('kind', '<>', 'verify').execute()
    await recordOwnAct(tx, user.id, { at, act: 'change-own-password', name: self.name || self.email })
    if (self.emailVerified) await postNotice(tx, shop, 'password', self.email)
    return { token, ended: await deleteSessions(tx, user.id, user.sessionId) }
  })
  if (!done) return { ok: false, error: PASSWORD_NOT_UPDATED, status: 409 }
  closeSessions(shop, done.ended)
  shop.mail.wake()
  asker.page.cookies.push(await sessionCookie(shop, done.token))
  await rememberDevice(asker, user.email)
  return { ok: true }
}

/** User-agent headers of real browsers are shorter; a longer one is forged. */
const LONGEST = 500

/** The common name, where the library uses another one. */
const systems: Record<string, string> = { macOS: 'Mac', iOS: 'iPhone' }

/** S-219: "Safari on iPhone", "Firefox on Windows"; of what nobody knows only that it is a browser. Only names that the library knows get out. */
export function deviceOf(userAgent: string | null): { name: string; isHandheld: boolean } {
  const { browser, os, platform } = parse((userAgent ?? '').slice(0, LONGEST) || ' ')
  const isHandheld = platform.type === 'mobile' || platform.type === 'tablet'
  const system = platform.model === 'iPad' ? 'iPad' : (systems[os.name ?? ''] ?? os.name ?? '')
  const name = browser.name || 'Unknown browser'
  return { name: system ? `${name} on ${system}` : name, isHandheld }
}

type Asking = Pick<User, 'id' | 'sessionId'>

/** The list shows at most this many sessions; "all others" also ends those that it does not show. */
const MOST_SHOWN = 30

/** S-219: this device first, then by when they were last seen. */
export async function listDevices(shop: Pick<Shop, 'db' | 'now'>, { id, sessionId }: Asking) {
  const rows = await shop.db
    .selectFrom('session')
    .select(['id', 'userAgent', 'createdAt', 'updatedAt', 'expiresAt'])
    .where('userId', '=', id)
    .orderBy('updatedAt', 'desc')
    .execute()
  return rows
    .filter((row) => libraryTime(row.expiresAt) > shop.now())
    .map((row) => ({
      id: row.id,
      ...deviceOf(row.userAgent),
      /** the session of this request */
      isThis: row.id === sessionId,
      /** known to within an hour */
      seenAt: libraryTime(row.updatedAt),
      since: libraryTime(row.createdAt),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
    .slice(0, MOST_SHOWN)
}

/** S-219: only sessions of this user, and not the session of this request, which Logout ends. Returns how many were ended. */
export async function endDevices(shop: Shop, user: Asking, which: { id: string } | 'others'): Promise<number> {
  const ids = await transact(shop.db, async (tx) => {
    const gone = which === 'others' ? await deleteSessions(tx, user.id, user.sessionId) : await deleteOne(tx, user, which.id)
    if (gone.length > 0) await recordOwnAct(tx, user.id, { at: shop.now(), act: 'end-own-sessions', detail: { count: gone.length } })
    return gone
  })
  closeSessions(shop, ids)
  if (ids.length > 0) shop.live.changed(`user:${user.id}`)
  return ids.length
}

async function deleteOne(tx: Tx, user: Asking, id: string): Promise<string[]> {
  const own = tx.deleteFrom('session').where('userId', '=', user.id).where('id', '!=', user.sessionId)
  return (await own.where('id', '=', id).returning('id').execute()).map((row) => row.id)
}
