/** Reads what a customer has requested and bought. [S-310] */
import { listCredits } from '#app/features/credits/credits.server.ts'
import { listOrderLines, type OrderLine } from '#app/features/orders/order-lines.server.ts'
import { readFirstPictures, toJoinedImageView } from '#app/features/catalog/catalog.server.ts'
import { OPEN_STATES } from '#app/features/offers/offer.ts'
import { readOffers } from '#app/features/offers/read-offers.server.ts'
import { orderItemId, receiptKey } from '#app/features/orders/order.ts'
import { readReceiptAgreement } from '#app/features/payments/receipt-payments.server.ts'
import { paymentRows } from '#app/features/payments/payment-rows.ts'
import { findInvoice } from '#app/features/print-documents/find-invoices.server.ts'
import { readSaleSteps } from '#app/features/production-queue/production-queue.server.ts'
import { groupReceipts, totalCents, type Receipt, type Sale } from '#app/features/sales/receipt.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import type { AppServices, User } from '#app/services/context.ts'
import type { Db } from '#db/schema.ts'

export async function readOwnOrders(
  { db, timeZone, currency, now }: AppServices,
  { id }: Pick<User, 'id'>,
) {
  const order = await db
    .selectFrom('orders')
    .select(['isClosed', 'lastSeq'])
    .where('id', '=', id)
    .executeTakeFirst()
  const lines = await listOrderLines(db, id)
  const shown = await readNewestRequests(db, id)
  const steps = await readSaleSteps(db, id)
  const agreements = await readAgreements(db, id, lines)
  const offered = await readOfferedItems(db, id, now())
  const requested = lines
    .filter(({ isSold, offerId }) => !isSold && offerId === null)
    .map((line) => ({
      ...toPiece(line),
      /** the price that the customer saw when she requested the item */
      cents: shown.get(line.id)?.cents ?? line.priceCents,
      at: shown.get(line.id)?.at ?? null,
      isOffered: offered.has(line.id),
    }))
  const entries = await db
    .selectFrom('sales')
    .selectAll()
    .where('buyerId', '=', id)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  const canceledBy = new Map(entries.map(({ id: entry, cancels }) => [cancels, entry]))
  const sales = entries
    .filter(({ cancels }) => cancels === null)
    .map((sale) => ({ ...sale, canceledBy: canceledBy.get(sale.id), step: steps.get(sale.id) }))
  const receipts = groupReceipts(sales)
  const pictures = await readPictures(db, [...new Set(sales.map(({ itemId }) => itemId))])
  const context = { sales, agreements, pictures, currency }
  return {
    agreements,
    requested,
    isClosed: order?.isClosed === 1,
    hasConversation: (order?.lastSeq ?? 0) > 0,
    receipts: await Promise.all(receipts.map((receipt) => withSums(db, receipt, context))),
    credits: await listCredits(db, id),
    timeZone,
  }
}

export type OwnOrders = Awaited<ReturnType<typeof readOwnOrders>>

const toPiece = ({ id, name, color, picture, currentCents }: OrderLine) => ({
  id,
  name,
  color,
  picture,
  isInShop: currentCents !== null,
})

/** Returns the accepted offers of which a piece is not sold or an amount is not paid yet, with the pictures of their pieces. [AGREE-110] */
async function readAgreements(db: Db, orderId: string, lines: OrderLine[]) {
  const unsold = new Set(lines.filter(({ isSold }) => !isSold).map(({ offerId }) => offerId))
  const accepted = db
    .selectFrom('offers')
    .select(['id', 'changedAt'])
    .where('orderId', '=', orderId)
    .where('state', '=', 'accepted')
  const rows = await accepted.orderBy('changedAt', 'desc').execute()
  const ids = rows.map(({ id }) => id)
  const offers = await readOffers(db, ids)
  return rows.flatMap(({ id, changedAt }) => {
    const offer = offers.get(id)!
    if (!unsold.has(id) && !offer.payment?.due) return []
    const pieces = offer.lines.map(({ itemId, name, color, notes }, at) => {
      const line = lines.find(
        (one) =>
          one.offerId === id && one.id === orderItemId({ offerId: id, itemId, position: at + 1 }),
      )
      return {
        ...(line ? toPiece(line) : { id: itemId, picture: null, isInShop: false }),
        name,
        color: [color, notes].filter(Boolean).join(', '),
      }
    })
    return [{ at: changedAt, orderId, offer, pieces }]
  })
}

/** Returns, for each item, the price and the time of the customer's newest request. */
async function readNewestRequests(db: Db, orderId: string) {
  const asked = db
    .selectFrom('messages')
    .select(['itemId', 'itemPriceCents', 'createdAt'])
    .where('orderId', '=', orderId)
  const rows = await asked.where('itemId', 'is not', null).orderBy('seq').execute()
  return new Map(
    rows.map(({ itemId, itemPriceCents, createdAt }) => [
      itemId!,
      { cents: itemPriceCents, at: createdAt },
    ]),
  )
}

/** Returns the items of the offer that the customer can accept now. */
async function readOfferedItems(db: Db, orderId: string, now: number) {
  const offered = db
    .selectFrom('offerLines')
    .innerJoin('offers', 'offers.id', 'offerLines.offerId')
    .select('offerLines.itemId')
  const open = offered
    .where('offers.orderId', '=', orderId)
    .where('offers.state', 'in', OPEN_STATES)
    .where('offers.validUntil', '>', now)
  return new Set((await open.execute()).map(({ itemId }) => itemId))
}

/** Returns the first picture of each item that is still in the shop, or null for an item without pictures. */
async function readPictures(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, null>()
  const items = await db.selectFrom('items').select('id').where('id', 'in', ids).execute()
  const pictures = new Map(
    (await readFirstPictures(db, ids)).map((row) => [row.itemId, toJoinedImageView(row)]),
  )
  return new Map(items.map(({ id }) => [id, pictures.get(id) ?? null]))
}

type ReceiptContext = {
  sales: Sale[]
  agreements: Awaited<ReturnType<typeof readAgreements>>
  pictures: Awaited<ReturnType<typeof readPictures>>
  currency: Currency
}

/**
 * Adds shipping, total and payments to a receipt. Until the invoice has a number, the shipping fee is the agreed one. The payments are the current ones, not those
 * that the invoice stored. While the page shows the agreement, the payments are only there. [AGREE-111]
 */
async function withSums(
  db: Db,
  receipt: Receipt,
  { sales, agreements, pictures, currency }: ReceiptContext,
) {
  const { key, receiptTag, createdAt } = receipt
  const invoice = await findInvoice(db, key)
  const saleIds = sales.filter((sale) => receiptKey(sale) === key).map(({ id }) => id)
  const agreed = await readReceiptAgreement(db, saleIds)
  const shipping = invoice?.shippingCents ?? agreed?.shippingCents ?? 0
  const total =
    totalCents([{ ...receipt, items: receipt.items.filter(({ isCanceled }) => !isCanceled) }]) +
    shipping
  const showsPayments = !agreements.some(({ offer }) => agreed?.offerIds.includes(offer.id))
  return {
    ...{ key, receiptTag, at: createdAt, number: invoice?.number ?? null, shipping, total },
    payments:
      showsPayments && agreed?.payments ? paymentRows(agreed.payments, total, currency) : [],
    items: receipt.items.map((item) => ({
      ...item,
      isInShop: pictures.has(item.id),
      picture: pictures.get(item.id) ?? null,
    })),
  }
}
