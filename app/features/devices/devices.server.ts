/** The sessions of one person: listed, and ended one by one or all others at once. */
import { isAdminId } from '#app/features/accounts/admin.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { libraryTime } from '#app/platform/library-date.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import { deviceOf } from './device-name.server.ts'
import type { DeviceLine } from './devices.ts'

type Asking = Pick<User, 'id' | 'sessionId'>

/** More than anybody has devices; "all others" ends the rest as well. */
const MOST_SHOWN = 30

/** S-219: this device first, then by when they were last seen. */
export async function listDevices(shop: Pick<Shop, 'db' | 'now'>, { id, sessionId }: Asking): Promise<DeviceLine[]> {
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
      isThis: row.id === sessionId,
      seenAt: libraryTime(row.updatedAt),
      since: libraryTime(row.createdAt),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
    .slice(0, MOST_SHOWN)
}

/** For whoever takes the account itself away, and with it its sessions: to be read before. */
export async function listSessions(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.selectFrom('session').select('id').where('userId', '=', userId).execute()
  return rows.map((row) => row.id)
}

/** Logins that have given the password and have yet to give their code (S-233). The library keeps them under this name, for ten minutes. */
export const endHalfLogins = (tx: Tx, userId: string) =>
  tx.deleteFrom('verification').where('value', '=', userId).where('identifier', 'like', '2fa-%').execute()

/**
 * Takes sessions out of the table, all but `keep`; gives their ids: `closeSessions` after the commit. For every change of how one logs in. What
 * was about to become a session goes as well: a guest's proof of this account (S-212), a login that has yet to give its code (S-233).
 */
export async function deleteSessions(tx: Tx, userId: string, keep: string | null): Promise<string[]> {
  await tx.deleteFrom('guestLinks').where('userId', '=', userId).execute()
  await endHalfLogins(tx, userId)
  const all = tx.deleteFrom('session').where('userId', '=', userId)
  const gone = await (keep === null ? all : all.where('id', '!=', keep)).returning('id').execute()
  return gone.map((row) => row.id)
}

/** Rows of sessions that ran out before `since`: nobody is in by them, and from where somebody came is not kept for ever. */
export async function sweepSessions({ db }: Pick<Shop, 'db'>, since: number): Promise<void> {
  await db.deleteFrom('session').where('expiresAt', '<', new Date(since)).execute()
}

/** Their pages hear of it at once: an open live connection ends with its session. */
export function closeSessions(shop: Pick<Shop, 'live'>, ids: readonly string[]): void {
  for (const id of ids) shop.live.sessionEnded(id)
}

/** S-219: one other session of hers; 0 when there is none (any more). Nobody's but her own, and not the one that asks: that is Logout. */
export const endDevice = (shop: Shop, user: Asking, id: string): Promise<number> =>
  end(shop, user, async (tx) => {
    const gone = await tx
      .deleteFrom('session')
      .where('id', '=', id)
      .where('userId', '=', user.id)
      .where('id', '!=', user.sessionId)
      .returning('id')
      .execute()
    return gone.map((row) => row.id)
  })

/** S-219: everywhere but here; how many there were. */
export const endOtherDevices = (shop: Shop, user: Asking): Promise<number> =>
  end(shop, user, (tx) => deleteSessions(tx, user.id, user.sessionId))

async function end(shop: Shop, user: Asking, remove: (tx: Tx) => Promise<string[]>): Promise<number> {
  const ids = await transact(shop.db, async (tx) => {
    const gone = await remove(tx)
    if (gone.length > 0 && isAdminId(user.id))
      await recordAct(tx, { at: shop.now(), actor: user.id, act: 'end-own-sessions', subject: user.id, detail: { count: gone.length } })
    return gone
  })
  closeSessions(shop, ids)
  if (ids.length > 0) shop.live.changed(`user:${user.id}`)
  return ids.length
}
