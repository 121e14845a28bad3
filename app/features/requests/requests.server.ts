/** What customers asked for and what came of it, kept for the reports: it outlives the conversation, the item and the category (030). */
import { sql } from 'kysely'
import type { Tx } from '#db/tables.ts'
import { newId15 } from '#app/platform/ids.ts'

/** S-196: a piece joined an order. Asking again while it stands there unsold is no new request. */
export async function recordRequest(tx: Tx, orderId: string, item: { id: string; categoryId: string }, at: number): Promise<void> {
  const category = await tx.selectFrom('categories').select('title').where('id', '=', item.categoryId).executeTakeFirst()
  const { categoryId } = item
  await tx
    .insertInto('requests')
    .values({ id: newId15(), orderId, itemId: item.id, categoryId, categoryTitle: category?.title ?? '', at, saleId: null })
    .execute()
}

type Category = { categoryId: string; categoryTitle: string }
const none: Category = { categoryId: '', categoryTitle: '' }

/** S-197: the category of a piece that is being sold; of one that was deleted meanwhile, the category in which it was asked for. */
export async function categoryOf(tx: Tx, orderId: string, itemId: string): Promise<Category> {
  const now = await tx
    .selectFrom('items')
    .leftJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', itemId)
    .select(['items.categoryId', sql<string>`coalesce("categories"."title", '')`.as('categoryTitle')])
    .executeTakeFirst()
  return now ?? (await newest(tx, orderId, itemId).select(['categoryId', 'categoryTitle']).executeTakeFirst()) ?? none
}

/** S-196: the newest request for it that has come to nothing yet has come to this sale; none, where it was asked for before requests were kept. */
export async function markSold(tx: Tx, orderId: string, itemId: string, saleId: string): Promise<void> {
  await tx
    .updateTable('requests')
    .set({ saleId })
    .where('id', '=', newest(tx, orderId, itemId).where('saleId', 'is', null).select('id'))
    .execute()
}

const newest = (tx: Tx, orderId: string, itemId: string) =>
  tx.selectFrom('requests').where('orderId', '=', orderId).where('itemId', '=', itemId).orderBy('at', 'desc').orderBy('id').limit(1)
