/** Favourites: a row for each person and item. */
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db, Tx } from '#db/schema.ts'

/** Which of these items are among the person's favorites. */
export async function listFavouriteIds(db: Db | Tx, userId: string, itemIds: string[]): Promise<string[]> {
  if (itemIds.length === 0) return []
  const rows = await db.selectFrom('favourites').select('itemId').where('userId', '=', userId).where('itemId', 'in', itemIds).execute()
  return rows.map((row) => row.itemId)
}

type Wish = { userId: string; itemId: string; isWanted: boolean }

/** FAV-02, FAV-03, FAV-06: says what is wanted rather than "the other one", so that a doubled click changes nothing (S-073). */
export async function setFavourite(
  shop: Shop,
  { userId, itemId, isWanted }: Wish,
): Promise<{ ok: true } | { ok: false; refusal: 'no-item' }> {
  const written = await transact(shop.db, async (tx) => {
    if (!isWanted) {
      const { numDeletedRows } = await tx
        .deleteFrom('favourites')
        .where('userId', '=', userId)
        .where('itemId', '=', itemId)
        .executeTakeFirst()
      return numDeletedRows
    }
    if (!(await tx.selectFrom('items').select('id').where('id', '=', itemId).executeTakeFirst())) return null
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('favourites')
      .values({ userId, itemId, createdAt: shop.now() })
      .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows ?? 0n
  })
  if (written === null) return { ok: false, refusal: 'no-item' }
  // What was so already was told when it became so; and a signal makes everybody's kept pages old (040).
  if (written > 0n) shop.live.changed(`user:${userId}`)
  return { ok: true }
}
