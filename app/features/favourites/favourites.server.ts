/** Favourites: a row for each person and item. */
import type { Shop } from '#app/platform/context.ts'
import type { Db, Tx } from '#db/tables.ts'

/** Which of these items are among the person's favourites. */
export async function listFavouriteIds(db: Db | Tx, userId: string, itemIds: string[]): Promise<string[]> {
  if (itemIds.length === 0) return []
  const query = db.selectFrom('favourites').select('itemId').where('userId', '=', userId).where('itemId', 'in', itemIds)
  return (await query.execute()).map((row) => row.itemId)
}

type Wish = { userId: string; itemId: string; isWanted: boolean }

/** FAV-02, FAV-03, FAV-06: says what is wanted rather than "the other one", so that a doubled click changes nothing (S-073). */
export async function setFavourite(
  shop: Shop,
  { userId, itemId, isWanted }: Wish,
): Promise<{ ok: true } | { ok: false; refusal: 'no-item' }> {
  const isKnown = await shop.db.transaction().execute(async (tx) => {
    if (!isWanted) {
      await tx.deleteFrom('favourites').where('userId', '=', userId).where('itemId', '=', itemId).execute()
      return true
    }
    if (!(await tx.selectFrom('items').select('id').where('id', '=', itemId).executeTakeFirst())) return false
    await tx
      .insertInto('favourites')
      .values({ userId, itemId, createdAt: shop.now() })
      .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
      .execute()
    return true
  })
  if (!isKnown) return { ok: false, refusal: 'no-item' }
  shop.live.changed(`user:${userId}`)
  return { ok: true }
}
