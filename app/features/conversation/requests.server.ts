import { sql, type Selectable } from 'kysely'
import type { Tx, Db, Tables } from '#db/schema.ts'
import { newId15 } from '#lib/text/ids.ts'
import { canceledSaleIds } from '#services/canceled-sales.server.ts'
import { readImagesOfItems } from '#catalog/catalog.server.ts'
import type { Message, RequestedPiece } from './message.ts'

export async function recordRequest(
  tx: Tx,
  orderId: string,
  { id: itemId, categoryId }: { id: string; categoryId: string },
  at: number,
) {
  const category = await tx
    .selectFrom('categories')
    .select('title')
    .where('id', '=', categoryId)
    .executeTakeFirst()
  await tx
    .insertInto('requests')
    .values({
      id: newId15(),
      orderId,
      itemId,
      categoryId,
      categoryTitle: category?.title ?? '',
      at,
      saleId: null,
    })
    .execute()
}

/** For a deleted item, returns the category of the customer's newest request. [S-197] */
export async function categoryOf(tx: Tx, orderId: string, itemId: string) {
  const category = await tx
    .selectFrom('items')
    .leftJoin('categories', 'categories.id', 'items.categoryId')
    .where('items.id', '=', itemId)
    .select([
      'items.categoryId',
      sql<string>`coalesce("categories"."title", '')`.as('categoryTitle'),
    ])
    .executeTakeFirst()
  if (category) return category
  const request = await newestRequest(tx, orderId, itemId)
    .select(['categoryId', 'categoryTitle'])
    .executeTakeFirst()
  return request ?? { categoryId: '', categoryTitle: '' }
}

export async function markSold(tx: Tx, orderId: string, itemId: string, saleId: string) {
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

export async function linkSoldItems(tx: Tx) {
  await sql`update "orderItems" set "saleId" = (select "id" from "sales"
      where "sales"."buyerId" = "orderItems"."orderId" and "sales"."itemId" = "orderItems"."itemId"
        and "sales"."cancels" is null and "sales"."id" not in ${canceledSaleIds(tx)}
      order by "createdAt" desc, "id" limit 1)
    where "isSold" = 1 and "saleId" is null`.execute(tx)
}

export const requestColumns = ['itemId', 'itemName', 'itemColor', 'itemPriceCents'] as const
type Row = Message & Pick<Selectable<Tables['messages']>, (typeof requestColumns)[number]>

/** A sold piece has the price of the first sale after the request. [S-306] */
export async function withRequestedPieces(db: Db, orderId: string, rows: readonly Row[]) {
  const ids = [...new Set(rows.flatMap(({ itemId }) => itemId ?? []))]
  const { images, unsold, sales } = ids.length > 0 ? await readPieces(db, orderId, ids) : nothing
  return rows.map(({ itemId, itemName, itemColor, itemPriceCents, ...message }) => {
    if (itemId === null) return message
    const sale = sales.find(
      ({ itemId: id, createdAt }) => id === itemId && createdAt >= message.createdAt,
    )
    const line = unsold.get(itemId)
    const request: RequestedPiece = {
      itemId,
      name: itemName ?? '',
      color: itemColor ?? '',
      cents: sale ? sale.salePriceCents : (line?.agreedCents ?? itemPriceCents ?? 0),
      state: sale ? 'sold' : stateOfLine(line),
      isInShop: images.has(itemId),
      image: images.get(itemId) ?? null,
    }
    return { ...message, request }
  })
}

function stateOfLine(line: { agreedCents: number | null } | undefined) {
  if (!line) return 'removed'
  return line.agreedCents === null ? 'requested' : 'agreed'
}

async function readPieces(db: Db, orderId: string, ids: string[]) {
  const images = await readImagesOfItems(db, ids)
  const lines = await db
    .selectFrom('orderItems')
    .select(['itemId', 'agreedCents'])
    .where('orderId', '=', orderId)
    .where('isSold', '=', false)
    .where('itemId', 'in', ids)
    .execute()
  const sales = await db
    .selectFrom('sales')
    .select(['itemId', 'createdAt', 'salePriceCents'])
    .where('buyerId', '=', orderId)
    .where('cancels', 'is', null)
    .where('id', 'not in', canceledSaleIds(db))
    .where('itemId', 'in', ids)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return {
    images,
    unsold: new Map(lines.map((line) => [line.itemId, line])),
    sales,
  }
}

const nothing: Awaited<ReturnType<typeof readPieces>> = {
  images: new Map(),
  unsold: new Map(),
  sales: [],
}
