/** Finds the payments of the accepted offers to which the sales of a receipt belong. */
import type { Db, Tx } from '#db/schema.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { ReceiptPayments } from './payment.ts'
import { arePaymentsInUse, readPayments } from './payments.server.ts'
import { paymentReference } from './ways-to-pay.server.ts'

/** `shippingCents` is the agreed shipping, and `offerIds` are the offers. `payments` is null if the invoice shows neither payments nor a credit. */
export type ReceiptAgreement = { offerIds: string[]; shippingCents: Cents; payments: ReceiptPayments | null }

/**
 * Reads the payments for a receipt. Leaves out an offer that has sales on several receipts, because nobody could tell to which receipt its payments belong.
 * Returns null if no accepted offer remains. [AGREE-48]
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
    .select(['id', 'shippingCents', 'creditCents'])
    .where('id', 'in', ids)
    .where('state', '=', 'accepted')
    .orderBy('createdAt')
    .execute()
  const completeOffers = offers.filter(({ id }) => !elsewhere.some(({ offerId }) => offerId === id))
  if (completeOffers.length === 0) return null
  const offerIds = completeOffers.map(({ id }) => id)
  const paid = await readPayments(db, offerIds)
  const isShown = paid.length > 0 || (await arePaymentsInUse(db))
  const creditCents = completeOffers.reduce((sum, offer) => sum + offer.creditCents, 0)
  const payments = {
    creditCents,
    references: isShown ? offerIds.map(paymentReference) : [],
    paid: paid.map(({ offerId, ...payment }) => ({
      ...payment,
      isAll: payment.kind === 'balance' && !paid.some((other) => other.offerId === offerId && other.kind === 'deposit'),
    })),
  }
  const shippingCents = completeOffers.reduce((sum, offer) => sum + offer.shippingCents, 0)
  return { offerIds, shippingCents, payments: isShown || creditCents > 0 ? payments : null }
}
