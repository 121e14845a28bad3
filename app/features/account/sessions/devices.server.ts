/** The sessions of one person: listed by the names of their devices, and ended one by one or all others at once. */
import { parse } from 'bowser'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { libraryTime } from '#app/platform/library-date.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/schema.ts'
import { deleteSessions, closeSessions } from '#app/features/auth/sessions.server.ts'

/** Browsers' own are shorter; what is longer was made up. */
const LONGEST = 500

/** What people call it, where the library has another word. */
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

/** More than anybody has devices; "all others" ends the rest as well. */
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
      /** the one that asks */
      isThis: row.id === sessionId,
      /** known to within an hour */
      seenAt: libraryTime(row.updatedAt),
      since: libraryTime(row.createdAt),
    }))
    .toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
    .slice(0, MOST_SHOWN)
}

/**
 * S-219: one other session of hers, or everywhere but here; gives how many there were. Nobody's but her own, and not the one that asks: that is
 * Logout.
 */
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
