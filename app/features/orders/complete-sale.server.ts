/** "Sale Complete": what was agreed in a conversation becomes a sale record, once. */
import type { Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { parseMoney, type Cents } from '#app/features/money/money.ts'
import { categoryOf, markSold } from '#app/features/requests/requests.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { nameOf } from './order.ts'
import { lockOrder } from './order-rows.server.ts'

/** S-086: which of the two could not be written, when the machine failed. */
type Failure = 'record-failed' | 'item-failed'
export type SaleRefusal = 'not-found' | 'already-sold' | 'bad-price' | 'closed' | Failure
export type SaleCompleted = { ok: true } | { ok: false; refusal: SaleRefusal }

/** MSG-27, S-087: blank is the item's original price, 0 is a gift and stays 0; null when it is no price. */
export const salePriceOf = (typed: string, original: Cents): Cents | null => (typed.trim() === '' ? original : parseMoney(typed))

/** MSG-24, MSG-28, MSG-29, S-086, DATA-125: the sale record and the item's mark, both or neither. `typedPrice` as the owner typed it. */
export async function completeSale(shop: Shop, orderId: string, itemId: string, typedPrice: string): Promise<SaleCompleted> {
  const wish: Wish = { orderId, itemId, typedPrice, now: shop.now(), writing: 'record-failed' }
  const done = await transact(shop.db, (tx) => writeSale(tx, wish)).catch((error: unknown): SaleCompleted => {
    shop.log.error('a sale could not be completed', error)
    return { ok: false, refusal: wish.writing }
  })
  if (done.ok) shop.live.changed('sales', 'orders', `order:${orderId}`)
  return done
}

type Wish = { orderId: string; itemId: string; typedPrice: string; now: number; /** what failed, should it fail now */ writing: Failure }

async function writeSale(tx: Tx, wish: Wish): Promise<SaleCompleted> {
  const { orderId, itemId, typedPrice, now } = wish
  // It may be done once more (transact).
  wish.writing = 'record-failed'
  const order = await lockOrder(tx, orderId)
  const line = order && (await findLine(tx, orderId, itemId))
  if (!line) return { ok: false, refusal: 'not-found' }
  if (line.isSold) return { ok: false, refusal: 'already-sold' }
  // S-080: the receipt tag left when the order was closed.
  if (order.isClosed) return { ok: false, refusal: 'closed' }
  const salePriceCents = salePriceOf(typedPrice, line.priceCents)
  if (salePriceCents === null) return { ok: false, refusal: 'bad-price' }

  const sale = {
    id: newId15(),
    buyerId: order.userId ?? order.id,
    buyerName: order.userName,
    buyerEmail: order.userEmail,
    buyerPhotoURL: order.userPhotoURL,
    itemId,
    itemName: line.name,
    itemPriceCents: line.priceCents,
    salePriceCents,
    receiptTag: order.receiptTag,
    createdAt: now,
    ...(await categoryOf(tx, orderId, itemId)),
  }
  await tx.insertInto('sales').values(sale).execute()
  const buyer = nameOf({ name: order.userName, email: order.userEmail })
  const detail = { sale: sale.id, itemId, buyer, salePriceCents, receiptTag: order.receiptTag }
  const sold = { act: 'complete-sale', subject: orderId, name: line.name, also: buyer } as const
  await recordAct(tx, { at: now, actor: ADMIN_ID, ...sold, detail })
  wish.writing = 'item-failed'
  await markSold(tx, orderId, itemId, sale.id)
  await tx.updateTable('orderItems').set({ isSold: 1 }).where('orderId', '=', orderId).where('itemId', '=', itemId).execute()
  await tx.updateTable('orders').set({ createdAt: now }).where('id', '=', orderId).execute()
  // What fails from here on is the keeping of all of it.
  wish.writing = 'record-failed'
  return { ok: true }
}

const findLine = (tx: Tx, orderId: string, itemId: string) =>
  tx
    .selectFrom('orderItems')
    .select(['name', 'priceCents', 'isSold'])
    .where('orderId', '=', orderId)
    .where('itemId', '=', itemId)
    .executeTakeFirst()
