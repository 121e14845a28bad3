/** The items of an order as the owner's order panel shows them: with picture, and with what the item costs now. */
import type { Db, Tx } from '#db/tables.ts'
import { pictureColumns, readJoinedPicture } from '#app/features/catalog/picture-rows.server.ts'
import { discountedPrice, readDiscount, type Cents } from '#app/features/money/money.ts'
import { receiptKey } from '#app/features/sales/receipt.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { OrderItem } from './order.ts'

/** What an item was sold for, and by which key its receipt opens (S-179). */
export type LineSale = { cents: Cents; receipt: string }
/** `currentCents`: the item's price today, discount taken off (S-068); null once the item is gone (S-057). `sale`: null while it is unsold. */
export type OrderLine = OrderItem & { currentCents: Cents | null; picture: PictureView | null; sale: LineSale | null }

/** MSG-23 */
export async function listOrderLines(db: Db | Tx, orderId: string): Promise<OrderLine[]> {
  const rows = await db
    .selectFrom('orderItems as line')
    .leftJoin('items as item', 'item.id', 'line.itemId')
    .leftJoin('itemPictures as shown', (join) =>
      join.on((eb) =>
        eb(
          'shown.id',
          '=',
          eb
            .selectFrom('itemPictures as p')
            .select('p.id')
            .whereRef('p.itemId', '=', 'line.itemId')
            .orderBy('p.position')
            .orderBy('p.id')
            .limit(1),
        ),
      ),
    )
    .leftJoin('pictures', 'pictures.id', 'shown.pictureId')
    .select(['line.itemId as id', 'line.name', 'line.priceCents', 'line.isSold'])
    .select(['item.priceCents as nowCents', 'item.discountType', 'item.discountValue'])
    .select(pictureColumns)
    .where('line.orderId', '=', orderId)
    .orderBy('line.position')
    .orderBy('line.itemId')
    .execute()
  const sales = await salesOf(
    db,
    orderId,
    rows.filter((row) => row.isSold === 1).map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    priceCents: row.priceCents,
    isSold: row.isSold === 1,
    currentCents: row.nowCents === null ? null : discountedPrice(row.nowCents, readDiscount(row)),
    picture: readJoinedPicture(row),
    sale: sales.get(row.id) ?? null,
  }))
}

/** The customer's newest sale of each of these items. */
async function salesOf(db: Db | Tx, buyerId: string, itemIds: string[]): Promise<Map<string, LineSale>> {
  if (itemIds.length === 0) return new Map()
  const sales = await db
    .selectFrom('sales')
    .select(['id', 'itemId', 'salePriceCents', 'receiptTag'])
    .where('itemId', 'in', itemIds)
    .where('buyerId', '=', buyerId)
    .orderBy('createdAt')
    .orderBy('id', 'desc')
    .execute()
  return new Map(sales.map((sale) => [sale.itemId, { cents: sale.salePriceCents, receipt: receiptKey(sale) }]))
}
