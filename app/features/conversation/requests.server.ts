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

/** A card shows the sale of its own request. [S-306] */
export async function withRequestedPieces(db: Db, orderId: string, rows: readonly Row[]) {
  const ids = [...new Set(rows.flatMap(({ itemId }) => itemId ?? []))]
  const pieces = ids.length > 0 ? await readPieces(db, orderId, ids) : nothing
  const { images, unsold } = pieces
  return rows.map(({ itemId, itemName, itemColor, itemPriceCents, ...message }) => {
    if (itemId === null) return message
    const sale = findSale(pieces, itemId, message.createdAt)
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

/** Imported requests are messages only; the first sale after them is theirs. */
function findSale({ requests, sales }: Pieces, itemId: string, askedAt: number) {
  const request = requests.find((row) => row.itemId === itemId && row.at <= askedAt)
  if (request) return sales.find(({ id }) => id === request.saleId)
  return sales.find(
    (sale) =>
      sale.itemId === itemId &&
      sale.createdAt >= askedAt &&
      !requests.some(({ saleId }) => saleId === sale.id),
  )
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
    .select(['id', 'itemId', 'createdAt', 'salePriceCents'])
    .where('buyerId', '=', orderId)
    .where('cancels', 'is', null)
    .where('id', 'not in', canceledSaleIds(db))
    .where('itemId', 'in', ids)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  const requests = await db
    .selectFrom('requests')
    .select(['itemId', 'at', 'saleId'])
    .where('orderId', '=', orderId)
    .where('itemId', 'in', ids)
    .orderBy('at', 'desc')
    // Of two requests at the same time, the sold one is the newer.
    .orderBy(sql`"saleId" is null`)
    .execute()
  return {
    images,
    requests,
    unsold: new Map(lines.map((line) => [line.itemId, line])),
    sales,
  }
}

type Pieces = Awaited<ReturnType<typeof readPieces>>

const nothing: Pieces = {
  images: new Map(),
  requests: [],
  unsold: new Map(),
  sales: [],
}
