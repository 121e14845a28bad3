/** Finds the payments of the accepted offers to which the sales of a receipt belong. */
import type { Db, Tx } from '#db/schema.ts'
import { typedLineId } from '#app/features/orders/order.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { ReceiptPayments } from './payment.ts'
import { arePaymentsInUse, readPayments } from './payments.server.ts'
import { paymentReference } from './ways-to-pay.server.ts'

/** `shippingCents` is the agreed shipping, and `offerIds` are the offers. `payments` is null if the invoice shows neither payments nor a credit. */
export type ReceiptAgreement = { offerIds: string[]; shippingCents: Cents; payments: ReceiptPayments | null }

/**
 * Reads the payments for a receipt. Leaves out the payments of an offer that has sales on several receipts, because nobody could tell to which receipt they
 * belong. The agreed shipping is 0 if an earlier invoice contains it. Returns null if the receipt has no sale of an accepted offer. [AGREE-48]
 */
export async function readReceiptAgreement(db: Db | Tx, saleIds: readonly string[]): Promise<ReceiptAgreement | null> {
  if (saleIds.length === 0) return null
  const sold = await db.selectFrom('orderItems').select('offerId').where('saleId', 'in', saleIds).where('offerId', 'is not', null).execute()
  const ids = [...new Set(sold.flatMap(({ offerId }) => offerId ?? []))]
  if (ids.length === 0) return null
  const elsewhere = await db
    .selectFrom('orderItems')
    .select('offerId')
    .where('offerId', 'in', ids)
    .where('saleId', 'is not', null)
    .where('saleId', 'not in', saleIds)
    .execute()
  const offers = await db
    .selectFrom('offers')
    .select(['id', 'orderId', 'shippingCents', 'creditCents', 'changedAt'])
    .where('id', 'in', ids)
    .where('state', '=', 'accepted')
    .orderBy('createdAt')
    .execute()
  if (offers.length === 0) return null
  let shippingCents = 0
  for (const offer of offers) if (!(await isShippingBilled(db, offer))) shippingCents += offer.shippingCents
  const completeOffers = offers.filter(({ id }) => !elsewhere.some(({ offerId }) => offerId === id))
  const offerIds = completeOffers.map(({ id }) => id)
  if (offerIds.length === 0) return { offerIds, shippingCents, payments: null }
  const paid = await readPayments(db, offerIds)
  const isShown = paid.length > 0 || (await arePaymentsInUse(db))
  const creditCents = completeOffers.reduce((sum, offer) => sum + offer.creditCents, 0)
  const payments = {
    creditCents,
    references: isShown ? offerIds.map(paymentReference) : [],
    paid: paid.map(({ kind, cents, paidOn, method, isAll }) => ({ kind, cents, paidOn, method, isAll })),
  }
  return { offerIds, shippingCents, payments: isShown || creditCents > 0 ? payments : null }
}

type AcceptedOffer = { id: string; orderId: string; changedAt: number }

/** Returns whether an invoice with shipping contains a sale of the offer, even if this sale is canceled, because a cancellation does not include shipping. [S-301] */
async function isShippingBilled(db: Db | Tx, { id, orderId, changedAt }: AcceptedOffer): Promise<boolean> {
  const lines = await db.selectFrom('offerLines').select(['itemId', 'position']).where('offerId', '=', id).execute()
  const itemIds = lines.map(({ itemId, position }) => itemId || typedLineId(id, position))
  const billed = await db
    .selectFrom('invoices')
    .innerJoin('sales', 'sales.receiptTag', 'invoices.receiptKey')
    .select('invoices.number')
    .where('invoices.shippingCents', '>', 0)
    .where('sales.buyerId', '=', orderId)
    .where('sales.itemId', 'in', itemIds)
    .where('sales.createdAt', '>=', changedAt)
    .executeTakeFirst()
  return billed !== undefined
}
