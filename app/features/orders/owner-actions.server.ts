/** What only the owner does to an order: closing it, deleting its conversation, taking an item out, and "Sale Complete", by which what was agreed becomes a sale record, once. */
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import type { FilesOfPicture } from '#app/platform/pictures.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { deletePictureFiles, removePictureRows } from '#app/features/images/edit-pictures.server.ts'
import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { type Cents, parseMoney } from '#app/features/pricing/money.ts'
import { newId15 } from '#app/platform/ids.ts'
import { type CloseRefusal, type RemoveRefusal, nameOf, whyNoReply } from './order.ts'
import { categoryOf, lockOrder, markSold, picturesOfOrder } from './orders.server.ts'

type Doors = Pick<Shop, 'db' | 'live' | 'now' | 'log'>
type Done<Refusal> = { ok: true } | { ok: false; refusal: Refusal }

type Order = NonNullable<Awaited<ReturnType<typeof lockOrder>>>

/** One write of the owner to an order, which is held meanwhile. `failed`: what the log says when the machine fails. */
async function writeOrder<Refusal>(
  shop: Doors,
  orderId: string,
  failed: string,
  write: (tx: Tx, order: Order, now: number) => Promise<Refusal | null>,
): Promise<Done<Refusal | 'not-found' | 'failed'>> {
  const done = await attempt(shop.log, failed, () =>
    transact(shop.db, async (tx): Promise<Done<Refusal | 'not-found'>> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, refusal: 'not-found' }
      const refusal = await write(tx, order, shop.now())
      return refusal === null ? { ok: true } : { ok: false, refusal }
    }),
  )
  if (done.ok) shop.live.changed('orders', `order:${orderId}`)
  return done
}

const customerOf = (order: Order) => nameOf({ name: order.userName, email: order.userEmail })

/** MSG-10, MSG-11, S-079: the receipt tag goes, the items and messages stay. */
export const closeOrder = (shop: Doors, owner: User, orderId: string): Promise<Done<CloseRefusal>> =>
  writeOrder(shop, orderId, 'an order could not be closed', async (tx, order, now) => {
    const refusal = whyNoReply({ isClosed: order.isClosed === 1, fromContactPage: order.fromContactPage === 1 })
    if (refusal) return refusal
    await tx.updateTable('orders').set({ isClosed: 1, receiptTag: null, createdAt: now }).where('id', '=', orderId).execute()
    await recordAct(tx, { at: now, actor: owner.id, act: 'close-order', subject: orderId, name: customerOf(order) })
    return null
  })

/** MSG-20, S-083: with its messages, their pictures, marks and items; sales stay. */
export async function deleteConversation(
  shop: Doors & Pick<Shop, 'pictures'>,
  owner: User,
  orderId: string,
): Promise<Done<'not-found' | 'failed'>> {
  let gone: FilesOfPicture[] = []
  const done = await writeOrder<never>(shop, orderId, 'a conversation could not be deleted', async (tx, order, now) => {
    const pictures = await picturesOfOrder(tx, orderId)
    await tx.deleteFrom('orders').where('id', '=', orderId).execute()
    await recordAct(tx, { at: now, actor: owner.id, act: 'delete-conversation', subject: orderId, name: customerOf(order) })
    gone = await removePictureRows(tx, pictures)
    return null
  })
  if (done.ok) await deletePictureFiles(shop, gone)
  return done
}

/** MSG-31, MSG-32, S-084: only an unsold item of an open order. */
export const removeOrderItem = (shop: Doors, owner: User, orderId: string, itemId: string): Promise<Done<RemoveRefusal>> =>
  writeOrder<Exclude<RemoveRefusal, 'failed'>>(shop, orderId, 'an item could not be taken out of an order', async (tx, order, now) => {
    if (order.isClosed) return 'closed'
    const item = await findLine(tx, orderId, itemId)
    if (!item) return 'not-found'
    if (item.isSold) return 'already-sold'
    await tx.deleteFrom('orderItems').where('orderId', '=', orderId).where('itemId', '=', itemId).execute()
    await tx.updateTable('orders').set({ createdAt: now }).where('id', '=', orderId).execute()
    const taken = { act: 'remove-order-item', subject: orderId, name: customerOf(order), also: item.name } as const
    await recordAct(tx, { at: now, actor: owner.id, ...taken, detail: { itemId, item: item.name } })
    return null
  })

type SaleRefusal = 'not-found' | 'already-sold' | 'bad-price' | 'closed' | 'record-failed' | 'item-failed'
type SaleCompleted = Done<SaleRefusal>

/** MSG-27, S-087: blank is the item's original price, 0 is a gift and stays 0; null when it is no price. */
export const salePriceOf = (typed: string, original: Cents): Cents | null => (typed.trim() === '' ? original : parseMoney(typed))

/** MSG-24, MSG-28, MSG-29, S-086, DATA-125: the sale record and the item's mark, both or neither. `typedPrice` as the owner typed it. */
export async function completeSale(shop: Doors, orderId: string, itemId: string, typedPrice: string): Promise<SaleCompleted> {
  // S-086: which of the two could not be written, when the machine fails.
  let writing: 'record-failed' | 'item-failed' = 'record-failed'
  const done = await writeOrder<SaleRefusal>(shop, orderId, 'a sale could not be completed', async (tx, order, now) => {
    writing = 'record-failed'
    const line = await findLine(tx, orderId, itemId)
    if (!line) return 'not-found'
    if (line.isSold) return 'already-sold'
    // S-080: the receipt tag left when the order was closed.
    if (order.isClosed) return 'closed'
    const salePriceCents = salePriceOf(typedPrice, line.priceCents)
    if (salePriceCents === null) return 'bad-price'

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
    const buyer = customerOf(order)
    const detail = { sale: sale.id, itemId, buyer, salePriceCents, receiptTag: order.receiptTag }
    const sold = { act: 'complete-sale', subject: orderId, name: line.name, also: buyer } as const
    await recordAct(tx, { at: now, actor: ADMIN_ID, ...sold, detail })
    writing = 'item-failed'
    await markSold(tx, orderId, itemId, sale.id)
    await tx.updateTable('orderItems').set({ isSold: 1 }).where('orderId', '=', orderId).where('itemId', '=', itemId).execute()
    await tx.updateTable('orders').set({ createdAt: now }).where('id', '=', orderId).execute()
    // What fails from here on is the commit of both.
    writing = 'record-failed'
    return null
  })
  if (done.ok) shop.live.changed('sales')
  return done.ok || done.refusal !== 'failed' ? (done as SaleCompleted) : { ok: false, refusal: writing }
}

const findLine = (tx: Tx, orderId: string, itemId: string) =>
  tx
    .selectFrom('orderItems')
    .select(['name', 'priceCents', 'isSold'])
    .where('orderId', '=', orderId)
    .where('itemId', '=', itemId)
    .executeTakeFirst()
