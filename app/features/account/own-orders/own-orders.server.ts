import { listCredits } from '#credits/credits.server.ts'
import { listOrderLines, type OrderLine } from '#conversation/order-lines.server.ts'
import { readPieceImages, readExistingIds } from '#catalog/catalog.server.ts'
import { OPEN_STATES } from '#offers/offer.ts'
import { readOffers } from '#offers/offers.server.ts'
import { orderItemId } from '#conversation/order-line.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import { readReceiptAgreement } from '#payments/payments.server.ts'
import { paymentRows } from '#payments/payment-rows.ts'
import { findInvoice } from '#print-documents/print-documents.server.ts'
import { readSaleSteps } from '#production-queue/production-queue.server.ts'
import { groupReceipts, totalCents, type Receipt } from '#sales/receipt.ts'
import type { Currency } from '#lib/text/currency.ts'
import type { AppServices, User } from '#services/context.ts'
import type { Db } from '#db/schema.ts'

export async function readOwnOrders({ db, currency, now }: AppServices, { id }: User) {
  const order = await db
    .selectFrom('orders')
    .select(['isClosed', 'lastSeq'])
    .where('id', '=', id)
    .executeTakeFirst()
  const lines = await listOrderLines(db, id)
  const requests = await readNewestRequests(db, id)
  const agreements = await readAgreements(db, id, lines)
  const agreedOfferIds = agreements.map(({ offer }) => offer.id)
  const offered = await readOfferedItems(db, id, now())
  const requested = lines
    .filter(({ isSold, offerId }) => !isSold && offerId === null)
    .map((line) => ({
      ...toPiece(line),
      quantity: line.quantity,
      cents: (requests.get(line.id)?.cents ?? line.priceCents) * line.quantity,
      at: requests.get(line.id)?.at ?? null,
      isOffered: offered.has(line.id),
    }))
  return {
    agreements,
    requested,
    isClosed: order?.isClosed ?? false,
    hasConversation: (order?.lastSeq ?? 0) > 0,
    receipts: await readReceipts(db, id, agreedOfferIds, currency),
    credits: await listCredits(db, id),
  }
}

export type OwnOrders = Awaited<ReturnType<typeof readOwnOrders>>

const toPiece = ({ id, name, color, image, currentCents }: OrderLine) => ({
  id,
  name,
  color,
  image,
  isInShop: currentCents !== null,
})

async function readAgreements(db: Db, orderId: string, lines: OrderLine[]) {
  const unsold = new Set(lines.filter(({ isSold }) => !isSold).map(({ offerId }) => offerId))
  const rows = await db
    .selectFrom('offers')
    .select(['id', 'changedAt'])
    .where('orderId', '=', orderId)
    .where('state', '=', 'accepted')
    .orderBy('changedAt', 'desc')
    .execute()
  const ids = rows.map(({ id }) => id)
  const offers = await readOffers(db, ids)
  return rows.flatMap(({ id, changedAt }) => {
    const offer = offers.get(id)!
    if (!unsold.has(id) && !offer.payment?.due) return []
    const pieces = offer.lines.map(({ itemId, name, color, notes }, index) => {
      const line = lines.find(
        (orderLine) =>
          orderLine.offerId === id &&
          orderLine.id === orderItemId({ offerId: id, itemId, position: index + 1 }),
      )
      return {
        ...(line ? toPiece(line) : { id: itemId, image: null, isInShop: false }),
        name,
        color: [color, notes].filter(Boolean).join(', '),
      }
    })
    return [{ at: changedAt, orderId, offer, pieces }]
  })
}

async function readNewestRequests(db: Db, orderId: string) {
  const rows = await db
    .selectFrom('messages')
    .select(['itemId', 'itemPriceCents', 'createdAt'])
    .where('orderId', '=', orderId)
    .where('itemId', 'is not', null)
    .orderBy('seq')
    .execute()
  return new Map(
    rows.map(({ itemId, itemPriceCents, createdAt }) => [
      itemId!,
      { cents: itemPriceCents, at: createdAt },
    ]),
  )
}

async function readOfferedItems(db: Db, orderId: string, now: number) {
  const rows = await db
    .selectFrom('offerLines')
    .innerJoin('offers', 'offers.id', 'offerLines.offerId')
    .select('offerLines.itemId')
    .where('offers.orderId', '=', orderId)
    .where('offers.state', 'in', OPEN_STATES)
    .where('offers.validUntil', '>', now)
    .execute()
  return new Set(rows.map(({ itemId }) => itemId))
}

async function readReceipts(
  db: Db,
  buyerId: string,
  shownOfferIds: readonly string[],
  currency: Currency,
) {
  const entries = await db
    .selectFrom('sales')
    .selectAll()
    .where('buyerId', '=', buyerId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  const steps = await readSaleSteps(db, buyerId)
  const canceledBy = new Map(entries.map(({ id, cancels }) => [cancels, id]))
  const sales = entries
    .filter(({ cancels }) => cancels === null)
    .map((sale) => ({ ...sale, canceledBy: canceledBy.get(sale.id), step: steps.get(sale.id) }))
  const itemIds = sales.map(({ itemId }) => itemId)
  const imageOf = await readPieceImages(db, itemIds)
  const shownIds = await readExistingIds(db, itemIds)

  /** Leaves out payments that the page already shows with an accepted offer. */
  async function withSums(receipt: Receipt) {
    const { key, receiptTag, createdAt } = receipt
    const invoice = await findInvoice(db, key)
    const saleIds = sales.filter((sale) => receiptKey(sale) === key).map(({ id }) => id)
    const agreed = await readReceiptAgreement(db, saleIds)
    const shipping = invoice?.shippingCents ?? agreed?.shippingCents ?? 0
    const soldItems = receipt.items.filter(({ isCanceled }) => !isCanceled)
    const total = totalCents([{ ...receipt, items: soldItems }]) + shipping
    const showsPayments = !shownOfferIds.some((offerId) => agreed?.offerIds.includes(offerId))
    return {
      key,
      receiptTag,
      at: createdAt,
      number: invoice?.number ?? null,
      shipping,
      total,
      payments:
        showsPayments && agreed?.payments ? paymentRows(agreed.payments, total, currency) : [],
      items: receipt.items.map((item) => ({
        ...item,
        isInShop: shownIds.has(item.id),
        image: imageOf({ itemId: item.id, color: item.color ?? '' }),
      })),
    }
  }

  return Promise.all(groupReceipts(sales).map(withSums))
}
