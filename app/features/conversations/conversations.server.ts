/** Conversations: writing a message and marking what has been read. */
import type { Tx } from '#db/tables.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { MAX_MESSAGE, whyNoReply, withPlainBreaks, type SendRefusal } from '#app/features/orders/order.ts'
import {
  appendMessage,
  freeMessageId,
  holdOwnOrder,
  lockOrder,
  writerColumns,
  type NewMessage,
} from '#app/features/orders/order-rows.server.ts'
import { mayUse } from './may-use.ts'
import { MAX_MESSAGE_PICTURES } from './message-pictures.ts'
import { bringsOthers, hangPictures, PicturesLost } from './message-pictures.server.ts'

export { countUnread, readConversation } from './conversation-reads.server.ts'
export { listConversations } from './conversation-list.server.ts'
export { pageBefore, readEarlier } from './message-pages.server.ts'
export { closeOrder, deleteConversation, removeOrderItem } from '#app/features/orders/order-acts.server.ts'

type Doors = Pick<Shop, 'db' | 'live' | 'now'>
export type Sent = { ok: true } | { ok: false; refusal: SendRefusal }

/** CHAT-07, CHAT-08, MSG-07, ROLES-25, S-074, S-075, S-078: the sender is who is signed in. The same messageId sent again changes nothing. */
export async function sendMessage(
  shop: Doors,
  user: User,
  orderId: string,
  { message: text, messageId, pictures = [] }: NewMessage,
): Promise<Sent> {
  const message = withPlainBreaks(text)
  if (!mayUse(user, orderId)) return { ok: false, refusal: 'not-found' }
  if (message.length > MAX_MESSAGE) return { ok: false, refusal: 'too-long' }
  if (pictures.length > MAX_MESSAGE_PICTURES) return { ok: false, refusal: 'too-many-pictures' }
  const isCustomer = user.role !== 'admin'
  const now = shop.now()
  const write = async (tx: Tx): Promise<Sent> => {
    const order = isCustomer ? await holdOwnOrder(tx, user, now) : await lockOrder(tx, orderId)
    if (!order) return { ok: false, refusal: 'not-found' }
    const known = await freeMessageId(tx, orderId, user.id, { message, messageId })
    if (known === null && !(await bringsOthers(tx, { orderId, messageId, sender: user.id }, pictures))) return { ok: true }
    const id = known ?? newId15()
    const refusal = whyNoReply({ isClosed: order.isClosed === 1, fromContactPage: order.fromContactPage === 1 })
    if (refusal) return { ok: false, refusal }
    if (isCustomer) await tx.updateTable('orders').set(writerColumns(user)).where('id', '=', orderId).execute()
    await appendMessage(tx, orderId, { id, message, sender: user.id }, now)
    await hangPictures(tx, { orderId, messageId: id, sender: user.id }, [...new Set(pictures)])
    return { ok: true }
  }
  const done = await transact(shop.db, write).catch((error: unknown): Sent => {
    if (error instanceof PicturesLost) return { ok: false, refusal: 'pictures-lost' }
    throw error
  })
  if (done.ok) shop.live.changed('orders', `order:${orderId}`)
  return done
}

/** CHAT-10 to CHAT-13, MSG-06: up to `seq`, never back, never beyond the newest. Nothing is written when nothing changes. */
export async function markRead(shop: Doors, user: User, orderId: string, seq: number): Promise<void> {
  if (!mayUse(user, orderId) || !Number.isSafeInteger(seq) || seq < 1) return
  const isChanged = await transact(shop.db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return false
    const upTo = Math.min(seq, order.lastSeq)
    const marked = await tx
      .insertInto('readMarks')
      .values({ orderId, reader: user.id, seq: upTo })
      .onConflict((conflict) => conflict.columns(['orderId', 'reader']).doUpdateSet({ seq: upTo }).where('readMarks.seq', '<', upTo))
      .executeTakeFirst()
    if (!marked.numInsertedOrUpdatedRows || upTo === 0) return false
    await tx.updateTable('orders').set({ createdAt: shop.now() }).where('id', '=', orderId).execute()
    return true
  })
  if (isChanged) shop.live.changed('orders', `order:${orderId}`)
}
