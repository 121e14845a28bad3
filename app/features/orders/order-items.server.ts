/** The items of an order as the owner's order panel shows them: with picture, and with what the item costs now. */
import type { Db, Tx } from '#db/tables.ts'
import { pictureColumns, readJoinedPicture } from '#app/features/catalog/picture-rows.server.ts'
import { discountedPrice, readDiscount, type Cents } from '#app/features/money/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { OrderItem } from './order.ts'

/** `currentCents`: the item's price today, discount taken off (S-068); null once the item is gone (S-057). */
export type OrderLine = OrderItem & { currentCents: Cents | null; picture: PictureView | null }

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
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    priceCents: row.priceCents,
    isSold: row.isSold === 1,
    currentCents: row.nowCents === null ? null : discountedPrice(row.nowCents, readDiscount(row)),
    picture: readJoinedPicture(row),
  }))
}
