/** Asking for an item: it joins the customer's order, and her words join the conversation. */
import type { Tx } from '#db/tables.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { recordRequest } from '#app/features/requests/requests.server.ts'
import { newId8 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { MAX_MESSAGE, withPlainBreaks } from './order.ts'
import { appendMessage, freeMessageId, holdOwnOrder, writerColumns } from './order-rows.server.ts'

export type OrderRequest = { itemId: string; message: string; messageId: string }
export type OrderRequested = { ok: true } | { ok: false; refusal: 'not-found' | 'owner' | 'too-long' }

/** ITEM-27 to ITEM-32, S-067 to S-070, S-072. The same messageId sent again changes nothing. */
export async function requestOrder(shop: Pick<Shop, 'db' | 'live' | 'now'>, user: User, asked: OrderRequest): Promise<OrderRequested> {
  const request = { ...asked, message: withPlainBreaks(asked.message) }
  if (user.role === 'admin') return { ok: false, refusal: 'owner' }
  if (request.message.length > MAX_MESSAGE) return { ok: false, refusal: 'too-long' }
  const now = shop.now()
  const done = await transact(shop.db, async (tx): Promise<OrderRequested> => {
    const item = await tx
      .selectFrom('items')
      .select(['id', 'name', 'priceCents', 'categoryId'])
      .where('id', '=', request.itemId)
      .executeTakeFirst()
    if (!item) return { ok: false, refusal: 'not-found' }
    const order = await holdOwnOrder(tx, user, now)
    const id = await freeMessageId(tx, user.id, user.id, request)
    if (id === null) return { ok: true }
    // S-069: what was sold in the closed order can be asked for again.
    if (order.isClosed) await tx.deleteFrom('orderItems').where('orderId', '=', user.id).where('isSold', '=', 1).execute()
    await tx
      .updateTable('orders')
      .set({ ...writerColumns(user), isClosed: 0, receiptTag: order.receiptTag ?? (await newReceiptTag(tx)) })
      .where('id', '=', user.id)
      .execute()
    if (await addItem(tx, user.id, item)) await recordRequest(tx, user.id, item, now)
    await appendMessage(tx, user.id, { id, message: request.message, sender: user.id }, now)
    return { ok: true }
  })
  if (done.ok) shop.live.changed('orders', `order:${user.id}`)
  return done
}

/** ITEM-27, ITEM-28, S-068: id, name and original price, once; false when it stood there already. */
async function addItem(tx: Tx, orderId: string, item: { id: string; name: string; priceCents: number }): Promise<boolean> {
  const last = await tx
    .selectFrom('orderItems')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  const added = await tx
    .insertInto('orderItems')
    .values({ orderId, itemId: item.id, name: item.name, priceCents: item.priceCents, isSold: 0, position: (last?.position ?? 0) + 1 })
    .onConflict((conflict) => conflict.columns(['orderId', 'itemId']).doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** S-070, S-139: one that no order and no sale has had, since receipts are grouped by it. */
async function newReceiptTag(tx: Tx): Promise<string> {
  for (;;) {
    const tag = newId8()
    const ordered = await tx.selectFrom('orders').select('id').where('receiptTag', '=', tag).executeTakeFirst()
    const sold = await tx.selectFrom('sales').select('id').where('receiptTag', '=', tag).executeTakeFirst()
    if (!ordered && !sold) return tag
  }
}
