/** Finds the payments of the accepted offers to which the sales of a receipt belong. */
import { canceledSaleIds } from '#app/services/canceled-sales.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { orderItemId } from '#app/features/orders/order.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { ReceiptPayments } from './payment.ts'
import { arePaymentsInUse, readPayments } from './payments.server.ts'
import { paymentReference } from './ways-to-pay.server.ts'

/**
 * `shippingCents` is the part of the agreed shipping that belongs to this receipt. `offerIds` are the offers with all of their sales on this receipt. They may have
 * unsold pieces. `payments` is null if the invoice shows neither payments nor a credit.
 */
type ReceiptAgreement = {
  offerIds: string[]
  shippingCents: Cents
  payments: ReceiptPayments | null
}

/**
 * Reads the payments for a receipt. Leaves out the payments of an offer that has unsold pieces or sales on several receipts, because nobody could tell to which
 * receipt they belong. The agreed shipping belongs to the receipt with the offer's earliest sale without a numbered invoice, if no numbered invoice contains it.
 * Returns null if the receipt has no sale of an accepted offer. [AGREE-48, AGREE-115]
 */
export async function readReceiptAgreement(
  db: Db | Tx,
  saleIds: readonly string[],
): Promise<ReceiptAgreement | null> {
  if (saleIds.length === 0) return null
  const offers = await db
    .selectFrom('offers')
    .select(['id', 'orderId', 'shippingCents', 'creditCents', 'changedAt'])
    .where(
      'id',
      'in',
      db
        .selectFrom('orderItems')
        .select('offerId')
        .where('saleId', 'in', saleIds)
        .$narrowType<{ offerId: string }>(),
    )
    .where('state', '=', 'accepted')
    .orderBy('createdAt')
    .execute()
  if (offers.length === 0) return null
  const ids = offers.map(({ id }) => id)
  const lines = await db
    .selectFrom('orderItems as line')
    .leftJoin('sales', 'sales.id', 'line.saleId')
    .leftJoin('invoices', 'invoices.receiptKey', 'sales.receiptTag')
    .select(['line.offerId', 'sales.id', 'invoices.number'])
    .where('line.offerId', 'in', ids)
    .orderBy('sales.createdAt')
    .orderBy('sales.id')
    .execute()
  const sold = lines.flatMap(({ id, ...line }) => (id === null ? [] : { id, ...line }))
  let shippingCents = 0
  for (const offer of offers) {
    const first = sold.find(({ offerId, number }) => offerId === offer.id && number === null)
    if (first && saleIds.includes(first.id) && !(await isShippingBilled(db, offer)))
      shippingCents += offer.shippingCents
  }
  const offerIds = ids.filter((id) =>
    sold.every((sale) => sale.offerId !== id || saleIds.includes(sale.id)),
  )
  const completeOffers = offers.filter(
    ({ id }) =>
      offerIds.includes(id) && !lines.some((line) => line.offerId === id && line.id === null),
  )
  const completeIds = completeOffers.map(({ id }) => id)
  if (completeIds.length === 0) return { offerIds, shippingCents, payments: null }
  const paid = await readPayments(db, completeIds)
  const isShown = paid.length > 0 || (await arePaymentsInUse(db))
  const creditCents = completeOffers.reduce((sum, offer) => sum + offer.creditCents, 0)
  const payments = {
    creditCents,
    references: isShown ? completeIds.map(paymentReference) : [],
    paid: paid.map(({ kind, cents, paidOn, method, isAll }) => ({
      kind,
      cents,
      paidOn,
      method,
      isAll,
    })),
  }
  return { offerIds, shippingCents, payments: isShown || creditCents > 0 ? payments : null }
}

type AcceptedOffer = { id: string; orderId: string; changedAt: number }

/** Returns whether an invoice with shipping contains a sale of the offer, even if this sale is canceled, because a cancellation does not include shipping. A canceled sale has no order item. [S-301] */
async function isShippingBilled(
  db: Db | Tx,
  { id, orderId, changedAt }: AcceptedOffer,
): Promise<boolean> {
  const lines = await db
    .selectFrom('offerLines')
    .select(['offerId', 'itemId', 'position'])
    .where('offerId', '=', id)
    .execute()
  const sold = db
    .selectFrom('orderItems')
    .select('saleId')
    .where('offerId', '=', id)
    .where('saleId', 'is not', null)
  const billed = await db
    .selectFrom('invoices')
    .innerJoin('sales', 'sales.receiptTag', 'invoices.receiptKey')
    .select('invoices.number')
    .where('invoices.shippingCents', '>', 0)
    .where('sales.buyerId', '=', orderId)
    .where('sales.itemId', 'in', lines.map(orderItemId))
    .where('sales.createdAt', '>=', changedAt)
    .where(({ eb, or }) =>
      or([
        eb('sales.id', 'in', sold.$narrowType<{ saleId: string }>()),
        eb('sales.id', 'in', canceledSaleIds(db)),
      ]),
    )
    .executeTakeFirst()
  return billed !== undefined
}
