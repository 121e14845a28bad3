/** Reads what a customer has requested and bought. [S-310] */
import { listCredits } from '#app/features/credits/credits.server.ts'
import { listOrderLines } from '#app/features/orders/order-lines.server.ts'
import { readFirstPictures, toJoinedImageView } from '#app/features/catalog/catalog.server.ts'
import { findInvoice } from '#app/features/print-documents/print-documents.server.ts'
import { readOrderSteps } from '#app/features/production-queue/production-queue.server.ts'
import { groupReceipts, totalCents, type Receipt } from '#app/features/sales/receipt.ts'
import type { AppServices, User } from '#app/services/context.ts'
import type { Db } from '#db/schema.ts'

export async function readOwnOrders({ db, timeZone }: Pick<AppServices, 'db' | 'timeZone'>, { id }: Pick<User, 'id'>) {
  const order = await db.selectFrom('orders').select(['isClosed', 'lastSeq']).where('id', '=', id).executeTakeFirst()
  const lines = (await listOrderLines(db, id)).filter(({ isSold }) => !isSold)
  const shown = await readNewestRequests(db, id)
  const steps = await readOrderSteps(db, id)
  const requested = lines.map((line) => ({
    id: line.id,
    name: line.name,
    color: line.color,
    picture: line.picture,
    isInShop: line.currentCents !== null,
    /** The price that the customer has accepted in an offer. Without an offer, the price that she saw when she requested the item. */
    cents: line.agreedCents ?? shown.get(line.id)?.cents ?? line.priceCents,
    at: shown.get(line.id)?.at ?? null,
    step: steps.get(line.id),
  }))
  const entries = await db.selectFrom('sales').selectAll().where('buyerId', '=', id).orderBy('createdAt', 'desc').orderBy('id').execute()
  const canceledBy = new Map(entries.map(({ id: entry, cancels }) => [cancels, entry]))
  const sales = entries
    .filter(({ cancels }) => cancels === null)
    .map((sale) => ({ ...sale, canceledBy: canceledBy.get(sale.id), step: steps.get(sale.id) }))
  const receipts = groupReceipts(sales)
  const pictures = await readPictures(db, [...new Set(sales.map(({ itemId }) => itemId))])
  return {
    requested,
    isClosed: order?.isClosed === 1,
    hasConversation: (order?.lastSeq ?? 0) > 0,
    receipts: await Promise.all(receipts.map((receipt) => withInvoice(db, receipt, pictures))),
    credits: await listCredits(db, id),
    timeZone,
  }
}

export type OwnOrders = Awaited<ReturnType<typeof readOwnOrders>>

/** Returns, for each item, the price and the time of the customer's newest request. */
async function readNewestRequests(db: Db, orderId: string) {
  const asked = db.selectFrom('messages').select(['itemId', 'itemPriceCents', 'createdAt']).where('orderId', '=', orderId)
  const rows = await asked.where('itemId', 'is not', null).orderBy('seq').execute()
  return new Map(rows.map(({ itemId, itemPriceCents, createdAt }) => [itemId!, { cents: itemPriceCents, at: createdAt }]))
}

/** Returns the first picture of each item that is still in the shop, or null for an item without pictures. */
async function readPictures(db: Db, ids: string[]) {
  if (ids.length === 0) return new Map<string, null>()
  const items = await db.selectFrom('items').select('id').where('id', 'in', ids).execute()
  const pictures = new Map((await readFirstPictures(db, ids)).map((row) => [row.itemId, toJoinedImageView(row)]))
  return new Map(items.map(({ id }) => [id, pictures.get(id) ?? null]))
}

async function withInvoice(db: Db, receipt: Receipt, pictures: Awaited<ReturnType<typeof readPictures>>) {
  const { key, receiptTag, createdAt } = receipt
  const invoice = await findInvoice(db, key)
  const sold = receipt.items.filter(({ isCanceled }) => !isCanceled)
  const shipping = invoice?.shippingCents ?? 0
  const items = receipt.items.map((item) => ({ ...item, isInShop: pictures.has(item.id), picture: pictures.get(item.id) ?? null }))
  return {
    key,
    receiptTag,
    at: createdAt,
    number: invoice?.number ?? null,
    shipping,
    total: totalCents([{ ...receipt, items: sold }]) + shipping,
    items,
  }
}
