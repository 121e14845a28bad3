/** Adds the requested item and the state of the request to the messages of order requests. */
import type { Db, Tables, Tx } from '#db/schema.ts'
import { canceledSaleIds } from '#app/services/canceled-sales.server.ts'
import type { Selectable } from 'kysely'
import { readFirstPictures, toJoinedImageView } from '#app/features/catalog/catalog.server.ts'
import type { Message, RequestedPiece } from './order.ts'

export const requestColumns = ['itemId', 'itemName', 'itemColor', 'itemPriceCents'] as const
type Row = Message & Pick<Selectable<Tables['messages']>, (typeof requestColumns)[number]>

/**
 * Adds the item and its state to the messages of order requests. 'sold': the customer bought the item after the request; the price is that of her first such sale.
 * 'agreed' or 'requested': her order contains the unsold item with or without an accepted offer. Otherwise 'removed'. [S-306]
 */
export async function withRequestedPieces(
  db: Db | Tx,
  orderId: string,
  rows: readonly Row[],
): Promise<Message[]> {
  const ids = [...new Set(rows.flatMap(({ itemId }) => itemId ?? []))]
  const { pictures, unsold, sales } = ids.length > 0 ? await readPieces(db, orderId, ids) : nothing
  return rows.map(({ itemId, itemName, itemColor, itemPriceCents, ...message }) => {
    if (itemId === null) return message
    const sale = sales.find((sold) => sold.itemId === itemId && sold.createdAt >= message.createdAt)
    const line = unsold.get(itemId)
    const request: RequestedPiece = {
      itemId,
      name: itemName ?? '',
      color: itemColor ?? '',
      cents: sale ? sale.salePriceCents : (line?.agreedCents ?? itemPriceCents ?? 0),
      state: sale ? 'sold' : !line ? 'removed' : line.agreedCents === null ? 'requested' : 'agreed',
      isInShop: pictures.has(itemId),
      picture: pictures.get(itemId) ?? null,
    }
    return { ...message, request }
  })
}

async function readPieces(db: Db | Tx, orderId: string, ids: string[]) {
  const items = await db.selectFrom('items').select('id').where('id', 'in', ids).execute()
  const pictures = new Map(
    (await readFirstPictures(db, ids)).map((row) => [row.itemId, toJoinedImageView(row)]),
  )
  const lines = db
    .selectFrom('orderItems')
    .select(['itemId', 'agreedCents'])
    .where('orderId', '=', orderId)
    .where('isSold', '=', 0)
  const sales = db
    .selectFrom('sales')
    .select(['itemId', 'createdAt', 'salePriceCents'])
    .where('buyerId', '=', orderId)
    .where('cancels', 'is', null)
    .where('id', 'not in', canceledSaleIds(db))
  return {
    pictures: new Map(items.map(({ id }) => [id, pictures.get(id) ?? null])),
    unsold: new Map(
      (await lines.where('itemId', 'in', ids).execute()).map((line) => [line.itemId, line]),
    ),
    /** the customer's sales that are not canceled, oldest first */
    sales: await sales.where('itemId', 'in', ids).orderBy('createdAt').orderBy('id').execute(),
  }
}
const nothing: Awaited<ReturnType<typeof readPieces>> = {
  pictures: new Map(),
  unsold: new Map(),
  sales: [],
}
