/** Contains the actions of the owner on an order: she closes or reopens the order, removes an item, or completes a sale. */
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { releaseHolds, sellUniqueItem } from '#app/features/catalog/holds.server.ts'
import { type Cents, parseMoney } from '#app/features/pricing/money.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import {
  type CloseRefusal,
  type RemoveRefusal,
  type ReopenRefusal,
  customerName,
  replyBlockedReason,
} from './order.ts'
import { addSoldDifference, lockOrder, newReceiptTag, openClosedOrder } from './orders.server.ts'
import { categoryOf, markSold } from './requests.server.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>
export type WriteOutcome<Refusal> = { ok: true } | { ok: false; refusal: Refusal }

type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

/** Locks the order and runs one write. `failed` is the message that is logged if the write fails. */
export async function writeOrder<Refusal>(
  app: Deps,
  orderId: string,
  failed: string,
  write: (tx: Tx, order: Order, now: number) => Promise<Refusal | null>,
): Promise<WriteOutcome<Refusal | 'not-found' | 'failed'>> {
  const done = await tryWrite(app.log, failed, () =>
    inTransaction(app.db, async (tx): Promise<WriteOutcome<Refusal | 'not-found'>> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, refusal: 'not-found' }
      const refusal = await write(tx, order, app.now())
      return refusal === null ? { ok: true } : { ok: false, refusal }
    }),
  )
  if (done.ok) app.live.changed('orders', `order:${orderId}`)
  return done
}

export const orderCustomerName = (order: Order) =>
  customerName({ name: order.userName, email: order.userEmail })

/** Closes an order and deletes its receipt tag. Its items and messages stay. [MSG-10, MSG-11, S-079] */
export const closeOrder = (
  app: Deps,
  owner: User,
  orderId: string,
): Promise<WriteOutcome<CloseRefusal>> =>
  writeOrder(app, orderId, 'an order could not be closed', async (tx, order, now) => {
    const refusal = replyBlockedReason({
      isClosed: order.isClosed === 1,
      fromContactPage: order.fromContactPage === 1,
    })
    if (refusal) return refusal
    await tx
      .updateTable('orders')
      .set({ isClosed: 1, receiptTag: null, createdAt: now })
      .where('id', '=', orderId)
      .execute()
    await recordAuditEvent(tx, {
      at: now,
      actor: owner.id,
      act: 'close-order',
      subject: orderId,
      name: orderCustomerName(order),
    })
    return null
  })

/** Reopens an order for the owner. A customer needs no such action, because her next message or order request reopens the order. [S-304] */
export const reopenOrder = (
  app: Deps,
  owner: User,
  orderId: string,
): Promise<WriteOutcome<ReopenRefusal>> =>
  writeOrder<Exclude<ReopenRefusal, 'failed'>>(
    app,
    orderId,
    'an order could not be reopened',
    async (tx, order, now) => {
      if (order.fromContactPage) return 'no-reply'
      if (!order.isClosed) return 'open'
      await openClosedOrder(tx, orderId)
      await tx.updateTable('orders').set({ createdAt: now }).where('id', '=', orderId).execute()
      await recordAuditEvent(tx, {
        at: now,
        actor: owner.id,
        act: 'reopen-order',
        subject: orderId,
        name: orderCustomerName(order),
      })
      return null
    },
  )

/** Removes an unsold item from an open order. An item of an accepted offer stays, because total, credit and payments of the offer include it. [MSG-31, MSG-32, S-084, AGREE-31] */
export async function removeOrderItem(
  app: Deps,
  owner: User,
  orderId: string,
  itemId: string,
): Promise<WriteOutcome<RemoveRefusal>> {
  let isReleased = false
  const done = await writeOrder<Exclude<RemoveRefusal, 'failed'>>(
    app,
    orderId,
    'an item could not be taken out of an order',
    async (tx, order, now) => {
      if (order.isClosed) return 'closed'
      const item = await findLine(tx, orderId, itemId)
      if (!item) return 'not-found'
      if (item.isSold) return 'already-sold'
      if (item.offerId !== null) return 'agreed'
      await tx
        .deleteFrom('orderItems')
        .where('orderId', '=', orderId)
        .where('position', '=', item.position)
        .execute()
      isReleased = await releaseHolds(tx, orderId, itemId)
      await tx.updateTable('orders').set({ createdAt: now }).where('id', '=', orderId).execute()
      const taken = {
        act: 'remove-order-item',
        subject: orderId,
        name: orderCustomerName(order),
        also: item.name,
      } as const
      await recordAuditEvent(tx, {
        at: now,
        actor: owner.id,
        ...taken,
        detail: { itemId, item: item.name },
      })
      return null
    },
  )
  if (done.ok && isReleased) app.live.changed('catalog')
  return done
}

type SaleRefusal =
  | 'not-found'
  | 'already-sold'
  | 'sold-elsewhere'
  | 'on-hold'
  | 'bad-price'
  | 'closed'
  | 'record-failed'
  | 'item-failed'
type SaleResult =
  | { ok: true }
  | { ok: false; refusal: SaleRefusal }
  | { ok: false; refusal: 'differs'; agreedCents: Cents }
/** `price` is the text that the owner typed. `isOtherPrice` is true if she has confirmed a price that differs from the accepted price. */
type SaleForm = { itemId: string; price: string; isOtherPrice?: boolean }

/** Returns the sale price in cents, or null if the text is invalid. A blank text means the original price, and 0 means a gift. [MSG-27, S-087] */
export const parseSalePrice = (typed: string, original: Cents): Cents | null =>
  typed.trim() === '' ? original : parseMoney(typed)

/** Stores the sale and marks the item as sold, in one transaction. A one-of-a-kind item also leaves the shop. [MSG-24, MSG-28, MSG-29, S-086, DATA-125, AGREE-10, AGREE-26] */
export async function completeSale(
  app: Deps,
  orderId: string,
  { itemId, price, isOtherPrice }: SaleForm,
): Promise<SaleResult> {
  // Names the write that is running, so that an error can say which write has failed. [S-086]
  let writing: 'record-failed' | 'item-failed' = 'record-failed'
  let agreedCents = 0
  let hasLeftShop = false
  const done = await writeOrder<SaleRefusal | 'differs'>(
    app,
    orderId,
    'a sale could not be completed',
    async (tx, order, now) => {
      writing = 'record-failed'
      const line = await findLine(tx, orderId, itemId)
      if (!line) return 'not-found'
      if (line.isSold) return 'already-sold'
      // A closed order has no receipt tag for a sale. [S-080]
      if (order.isClosed) return 'closed'
      const itemPriceCents = line.priceCents * line.quantity
      const salePriceCents = parseSalePrice(price, itemPriceCents)
      if (salePriceCents === null) return 'bad-price'
      agreedCents = line.agreedCents ?? salePriceCents
      if (salePriceCents !== agreedCents && !isOtherPrice) return 'differs'
      const saleId = newId15()
      const unique = await sellUniqueItem(tx, { itemId, orderId, saleId }, now)
      if (unique.refusal !== null) return unique.refusal
      hasLeftShop = unique.isChanged
      const receiptTag = await receiptTagForNextSale(tx, order)

      const sale = {
        id: saleId,
        buyerId: order.userId ?? order.id,
        buyerName: order.userName,
        buyerEmail: order.userEmail,
        buyerPhotoURL: order.userPhotoURL,
        itemId,
        itemName: line.quantity > 1 ? `${line.name} × ${line.quantity}` : line.name,
        itemPriceCents,
        salePriceCents,
        receiptTag,
        createdAt: now,
        ...(await categoryOf(tx, orderId, itemId)),
        color: line.color,
        quantity: line.quantity,
      }
      await tx.insertInto('sales').values(sale).execute()
      const buyer = orderCustomerName(order)
      const detail = { sale: sale.id, itemId, buyer, salePriceCents, receiptTag }
      const completed = {
        act: 'complete-sale',
        subject: orderId,
        name: line.name,
        also: buyer,
      } as const
      await recordAuditEvent(tx, { at: now, actor: ADMIN_ID, ...completed, detail })
      writing = 'item-failed'
      await markSold(tx, orderId, itemId, sale.id)
      const sold = { isSold: 1, saleId: sale.id } as const
      await tx
        .updateTable('orderItems')
        .set(sold)
        .where('orderId', '=', orderId)
        .where('position', '=', line.position)
        .execute()
      if (line.offerId !== null)
        await addSoldDifference(tx, line.offerId, salePriceCents - agreedCents)
      await tx
        .updateTable('orders')
        .set({ receiptTag, createdAt: now })
        .where('id', '=', orderId)
        .execute()
      // All writes have succeeded. If the commit fails, the owner sees that the sale was not stored.
      writing = 'record-failed'
      return null
    },
  )
  if (done.ok) app.live.changed('sales', ...(hasLeftShop ? (['catalog'] as const) : []))
  if (done.ok) return done
  if (done.refusal === 'differs') return { ok: false, refusal: 'differs', agreedCents }
  return { ok: false, refusal: done.refusal === 'failed' ? writing : done.refusal }
}

/** Returns the receipt tag for the next sale. If the current receipt has a numbered invoice, returns a new tag, because a numbered invoice never changes. [S-302] */
async function receiptTagForNextSale(tx: Tx, { receiptTag }: Order): Promise<string | null> {
  if (receiptTag === null) return null
  const invoice = await tx
    .selectFrom('invoices')
    .select('number')
    .where('receiptKey', '=', receiptTag)
    .executeTakeFirst()
  return invoice ? newReceiptTag(tx) : receiptTag
}

/** Finds the line of an item in an order. If the item was sold and requested again, the order has two lines, and this function returns the unsold line. */
const findLine = (tx: Tx, orderId: string, itemId: string) =>
  tx
    .selectFrom('orderItems')
    .select([
      'name',
      'priceCents',
      'isSold',
      'position',
      'color',
      'offerId',
      'agreedCents',
      'quantity',
    ])
    .where('orderId', '=', orderId)
    .where('itemId', '=', itemId)
    .orderBy('isSold')
    .executeTakeFirst()
