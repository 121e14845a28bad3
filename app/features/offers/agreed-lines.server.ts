/** Writes the lines of an accepted offer into the order, and removes them when the owner cancels the agreement. */
import { canceledSaleIds } from '#app/services/canceled-sales.server.ts'
import type { Tx } from '#db/schema.ts'
import type { OfferTable } from '#db/schema-agreements.ts'
import { orderItemId, typedLineId } from '#app/features/orders/order.ts'

/**
 * Stores the agreed price and quantity of each line in its unsold order item. Adds an order item for each line that the owner typed.
 * The customer's credit lowers the agreed prices, beginning with the first line, so that sales and invoices contain what she pays. Returns false if an item
 * of the offer is not an unsold item of the order, or is part of another accepted offer. The caller must have locked the order. [AGREE-06]
 */
export async function agreeOnLines(
  tx: Tx,
  { id, orderId, creditCents }: Pick<OfferTable, 'id' | 'orderId' | 'creditCents'>,
): Promise<boolean> {
  const lines = await readLines(tx, id)
  const last = await tx
    .selectFrom('orderItems')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  let credit = creditCents
  let position = last?.position ?? 0
  for (const { position: number, itemId, name, color, quantity, priceCents } of lines) {
    const used = Math.min(credit, priceCents * quantity)
    credit -= used
    const agreed = { offerId: id, agreedCents: priceCents * quantity - used, quantity }
    if (itemId === '') {
      const added = {
        orderId,
        itemId: typedLineId(id, number),
        name,
        color,
        priceCents,
        shownPriceCents: priceCents,
        isSold: 0,
      } as const
      await tx
        .insertInto('orderItems')
        .values({ ...added, ...agreed, position: ++position })
        .execute()
      continue
    }
    const updated = await tx
      .updateTable('orderItems')
      .set({ ...agreed, ...(color && { color }) })
      .where('orderId', '=', orderId)
      .where('itemId', '=', itemId)
      .where('isSold', '=', 0)
      .where('offerId', 'is', null)
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) return false
  }
  return true
}

export const readLines = (tx: Tx, offerId: string) =>
  tx
    .selectFrom('offerLines')
    .selectAll()
    .where('offerId', '=', offerId)
    .orderBy('position')
    .execute()

/** Removes the agreed prices, and the lines that the owner typed. The requested items stay in the order. Returns false and changes nothing if a line is sold. */
export async function releaseLines(
  tx: Tx,
  offer: Pick<OfferTable, 'id' | 'orderId' | 'changedAt'>,
): Promise<boolean> {
  const { id, orderId } = offer
  const agreed = await tx
    .selectFrom('orderItems')
    .select(['itemId', 'isSold'])
    .where('orderId', '=', orderId)
    .where('offerId', '=', id)
    .execute()
  const lines = await readLines(tx, id)
  if (agreed.some(({ isSold }) => isSold === 1) || (await isSoldEarlier(tx, offer, lines)))
    return false
  const typed = lines
    .filter(({ itemId }) => itemId === '')
    .map(({ position }) => typedLineId(id, position))
  if (typed.length > 0)
    await tx
      .deleteFrom('orderItems')
      .where('orderId', '=', orderId)
      .where('offerId', '=', id)
      .where('itemId', 'in', typed)
      .execute()
  await tx
    .updateTable('orderItems')
    .set({ offerId: null, agreedCents: null, quantity: 1 })
    .where('orderId', '=', orderId)
    .where('offerId', '=', id)
    .execute()
  return true
}

/** Returns whether a line of the offer was sold in an earlier order. A request that reopens a closed order removes the sold items from the order. [S-069] */
async function isSoldEarlier(
  tx: Tx,
  { orderId, changedAt }: Pick<OfferTable, 'orderId' | 'changedAt'>,
  lines: Awaited<ReturnType<typeof readLines>>,
): Promise<boolean> {
  const kept = tx
    .selectFrom('orderItems')
    .select('saleId')
    .where('orderId', '=', orderId)
    .where('saleId', 'is not', null)
  const sale = await tx
    .selectFrom('sales')
    .select('id')
    .where('buyerId', '=', orderId)
    .where('itemId', 'in', lines.map(orderItemId))
    .where('createdAt', '>=', changedAt)
    .where('cancels', 'is', null)
    .where('id', 'not in', kept.$narrowType<{ saleId: string }>())
    .where('id', 'not in', canceledSaleIds(tx))
    .limit(1)
    .executeTakeFirst()
  return sale !== undefined
}
