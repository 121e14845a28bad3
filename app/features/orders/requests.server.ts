/** Stores for the reports which items customers requested, and which requests became sales. */
import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { colorName } from '#app/features/catalog/catalog.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { canceledSaleIds } from '#app/services/canceled-sales.server.ts'

/** Records an order request for the reports. The caller must check that the order did not contain the unsold item before the order request. [S-196] */
export async function recordRequest(
  tx: Tx,
  orderId: string,
  item: { id: string; categoryId: string },
  at: number,
): Promise<void> {
  const category = await tx
    .selectFrom('categories')
    .select('title')
    .where('id', '=', item.categoryId)
    .executeTakeFirst()
  const { categoryId } = item
  await tx
    .insertInto('requests')
    .values({
      id: newId15(),
      orderId,
      itemId: item.id,
      categoryId,
      categoryTitle: category?.title ?? '',
      at,
      saleId: null,
    })
    .execute()
}

type Category = { categoryId: string; categoryTitle: string }
const none: Category = { categoryId: '', categoryTitle: '' }

/** Returns the item's category. For a deleted item, returns the category that was stored with the customer's newest order request. [S-197] */
export async function categoryOf(tx: Tx, orderId: string, itemId: string): Promise<Category> {
  const now = await tx
    .selectFrom('items')
    .leftJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', itemId)
    .select([
      'items.categoryId',
      sql<string>`coalesce("categories"."title", '')`.as('categoryTitle'),
    ])
    .executeTakeFirst()
  return (
    now ??
    (await newestRequest(tx, orderId, itemId)
      .select(['categoryId', 'categoryTitle'])
      .executeTakeFirst()) ??
    none
  )
}

/** Links the sale to the customer's newest order request for this item that is not linked to a sale yet. [S-196] */
export async function markSold(
  tx: Tx,
  orderId: string,
  itemId: string,
  saleId: string,
): Promise<void> {
  await tx
    .updateTable('requests')
    .set({ saleId })
    .where('id', '=', newestRequest(tx, orderId, itemId).where('saleId', 'is', null).select('id'))
    .execute()
}

const newestRequest = (tx: Tx, orderId: string, itemId: string) =>
  tx
    .selectFrom('requests')
    .where('orderId', '=', orderId)
    .where('itemId', '=', itemId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(1)

/** Links each sold item of an imported or demo order to the newest sale of the same item and customer that is not canceled. */
export async function linkSoldItems(tx: Tx): Promise<void> {
  await sql`update "orderItems" set "saleId" = (select "id" from "sales"
      where "sales"."buyerId" = "orderItems"."orderId" and "sales"."itemId" = "orderItems"."itemId"
        and "sales"."cancels" is null and "sales"."id" not in ${canceledSaleIds(tx)}
      order by "createdAt" desc, "id" limit 1)
    where "isSold" = 1 and "saleId" is null`.execute(tx)
}

/** Returns the name of the color, or null if the item does not exist in this color. An empty `colorId` has an empty name. */
export async function readColorName(
  tx: Tx,
  itemId: string,
  colorId: string,
): Promise<string | null> {
  if (colorId === '') return ''
  const color = await tx
    .selectFrom('itemPictures as p')
    .innerJoin('itemPictureColors as c', 'c.itemPictureId', 'p.id')
    .innerJoin('colors', 'colors.id', 'c.colorId')
    .select('colors.name')
    .where('p.itemId', '=', itemId)
    .where('colors.id', '=', colorId)
    .executeTakeFirst()
  return color ? colorName(color) : null
}
