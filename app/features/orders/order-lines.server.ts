/** Lists the lines of an order, for pages of the owner and the customer. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { ItemKind, ItemState } from '#app/features/catalog/catalog.ts'
import { pictureColumns, toJoinedImageView } from '#app/features/catalog/catalog.server.ts'
import { type Cents, discountedPrice, readDiscount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { type OrderItem, receiptKey } from './order.ts'

/** `cents` is the price for which the item was sold. `receipt` is the key of the receipt. `invoice` is the invoice number of the receipt, or null without a number. [S-179] */
type LineSale = { id: string; cents: Cents; receipt: string; invoice: number | null }

export type OrderLine = OrderItem & {
  color: string
  position: number
  /** the price that the shop showed the customer when she requested the item, or null if it is unknown [S-300] */
  shownCents: Cents | null
  /** the accepted offer of which this line is a part, or null */
  offerId: string | null
  /** the price of all pieces of this line that the customer has accepted, or null without an accepted offer */
  agreedCents: Cents | null
  quantity: number
  /** the current price including the discount. This price, `state` and `kind` are null if the item was deleted. [S-057, S-068] */
  currentCents: Cents | null
  state: ItemState | null
  kind: ItemKind | null
  picture: PictureView | null
  /** the sale of the item; null while the item is unsold */
  sale: LineSale | null
}

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
    .leftJoin('sales', 'sales.id', 'line.saleId')
    .leftJoin('invoices', (join) => join.on('invoices.receiptKey', '=', receiptKeySql))
    .select([
      'line.itemId as id',
      'line.name',
      'line.priceCents',
      'line.shownPriceCents as shownCents',
      'line.isSold',
      'line.position',
      'line.color',
      'line.offerId',
      'line.agreedCents',
      'line.quantity',
    ])
    .select([
      'line.saleId',
      'sales.salePriceCents',
      'sales.receiptTag',
      'invoices.number as invoice',
    ])
    .select([
      'item.priceCents as nowCents',
      'item.discountType',
      'item.discountValue',
      'item.state',
      'item.kind',
    ])
    .select(pictureColumns)
    .where('line.orderId', '=', orderId)
    .orderBy('line.position')
    .orderBy('line.itemId')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    position: row.position,
    name: row.name,
    priceCents: row.priceCents,
    color: row.color,
    shownCents: row.shownCents,
    offerId: row.offerId,
    agreedCents: row.agreedCents,
    quantity: row.quantity,
    isSold: row.isSold === 1,
    currentCents: row.nowCents === null ? null : discountedPrice(row.nowCents, readDiscount(row)),
    state: row.state,
    kind: row.kind,
    picture: toJoinedImageView(row),
    sale: toLineSale(row),
  }))
}

/** This SQL expression computes the same key as the function `receiptKey`. */
const receiptKeySql = sql<string>`coalesce(nullif("sales"."receiptTag", ''), "sales"."id")`

type SaleColumns = {
  saleId: string | null
  salePriceCents: Cents | null
  receiptTag: string | null
  invoice: number | null
}

const toLineSale = ({
  saleId,
  salePriceCents,
  receiptTag,
  invoice,
}: SaleColumns): LineSale | null =>
  saleId === null || salePriceCents === null
    ? null
    : {
        id: saleId,
        cents: salePriceCents,
        receipt: receiptKey({ id: saleId, receiptTag }),
        invoice,
      }
