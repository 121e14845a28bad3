import type { Updateable } from 'kysely'
import type { Db, Tables, Tx } from '#db/schema.ts'
import { readPieceImages } from '#catalog/catalog.server.ts'
import { discountedPrice, readDiscount } from '#pricing/money.ts'
import { receiptKey } from './receipt-key.ts'
import { receiptKeySql } from './conversation.server.ts'

export type OrderLine = Awaited<ReturnType<typeof listOrderLines>>[number]

export async function listOrderLines(db: Db, orderId: string) {
  const rows = await db
    .selectFrom('orderItems as line')
    .leftJoin('items as item', 'item.id', 'line.itemId')
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
      'line.saleId',
      'sales.salePriceCents',
      'sales.receiptTag',
      'invoices.number as invoice',
      'item.priceCents as nowCents',
      'item.discountType',
      'item.discountValue',
      'item.state',
      'item.kind',
    ])
    .where('line.orderId', '=', orderId)
    .orderBy('line.position')
    .orderBy('line.itemId')
    .execute()
  const imageOf = await readPieceImages(
    db,
    rows.map(({ id }) => id),
  )
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
    isSold: row.isSold,
    currentCents: row.nowCents === null ? null : discountedPrice(row.nowCents, readDiscount(row)),
    state: row.state,
    kind: row.kind,
    image: imageOf({ itemId: row.id, color: row.color }),
    sale:
      row.saleId === null || row.salePriceCents === null
        ? null
        : {
            id: row.saleId,
            cents: row.salePriceCents,
            receipt: receiptKey({ id: row.saleId, receiptTag: row.receiptTag }),
            invoice: row.invoice,
          },
  }))
}

const linesOf = (tx: Tx, orderId: string, itemId: string) =>
  tx
    .selectFrom('orderItems')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('itemId', '=', itemId)

/** If the item was sold and requested again, returns the unsold line. */
export const findLine = (tx: Tx, orderId: string, itemId: string) =>
  linesOf(tx, orderId, itemId).orderBy('isSold').executeTakeFirst()

export const findUnsoldLine = (tx: Tx, orderId: string, itemId: string) =>
  linesOf(tx, orderId, itemId).where('isSold', '=', false).executeTakeFirst()

type LineKey = { orderId: string; position: number }

export const updateLine = (tx: Tx, line: LineKey, changes: Updateable<Tables['orderItems']>) =>
  tx
    .updateTable('orderItems')
    .set(changes)
    .where('orderId', '=', line.orderId)
    .where('position', '=', line.position)
    .execute()

export const deleteLine = (tx: Tx, { orderId, position }: LineKey) =>
  tx
    .deleteFrom('orderItems')
    .where('orderId', '=', orderId)
    .where('position', '=', position)
    .execute()

export async function readLastPosition(tx: Tx, orderId: string) {
  const line = await tx
    .selectFrom('orderItems')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  return line?.position ?? 0
}
