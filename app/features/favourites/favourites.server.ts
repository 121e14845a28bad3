/** Favourites: a row for each person and item. */
import type { Shop } from '#app/platform/context.ts'
import { prepareQuery } from '#app/platform/prepared-query.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db, Tx } from '#db/tables.ts'

/** A text of its own for each number of items, which a page of the gallery bounds. */
const favouritesAmong = new Map<number, (db: Db | Tx, ...values: string[]) => Promise<{ itemId: string }[]>>()
const KNOWN_NUMBERS = 24

const among = () =>
  prepareQuery((db, userId: string, ...itemIds: string[]) =>
    db.selectFrom('favourites').select('itemId').where('userId', '=', userId).where('itemId', 'in', itemIds),
  )

/** Which of these items are among the person's favourites. */
export async function listFavouriteIds(db: Db | Tx, userId: string, itemIds: string[]): Promise<string[]> {
  const { length } = itemIds
  if (length === 0) return []
  const asked = favouritesAmong.get(length) ?? among()
  if (length <= KNOWN_NUMBERS) favouritesAmong.set(length, asked)
  return (await asked(db, userId, ...itemIds)).map((row) => row.itemId)
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
