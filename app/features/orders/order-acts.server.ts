/** What only the owner does to a conversation: closing the order, deleting it, taking an item out. */
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import type { FilesOfPicture } from '#app/platform/pictures.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { picturesOfOrder } from '#app/features/conversations/message-pictures.server.ts'
import { deletePictureFiles } from '#app/features/uploads/edit-pictures.server.ts'
import { removePictureRows } from '#app/features/uploads/used-pictures.server.ts'
import { nameOf, whyNoReply, type CloseRefusal, type RemoveRefusal } from './order.ts'
import { lockOrder } from './order-rows.server.ts'

type Doors = Pick<Shop, 'db' | 'live' | 'now' | 'log'>
type Done<Refusal> = { ok: true } | { ok: false; refusal: Refusal }

/** MSG-10, MSG-11, S-079: the receipt tag goes, the items and messages stay. */
export async function closeOrder(shop: Doors, owner: User, orderId: string): Promise<Done<CloseRefusal>> {
  const done = await attempt(shop.log, 'an order could not be closed', () =>
    transact(shop.db, async (tx): Promise<Done<CloseRefusal>> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, refusal: 'not-found' }
      const refusal = whyNoReply({ isClosed: order.isClosed === 1, fromContactPage: order.fromContactPage === 1 })
      if (refusal) return { ok: false, refusal }
      const now = shop.now()
      await tx.updateTable('orders').set({ isClosed: 1, receiptTag: null, createdAt: now }).where('id', '=', orderId).execute()
      await recordAct(tx, {
        at: now,
        actor: owner.id,
        act: 'close-order',
        subject: orderId,
        name: nameOf({ name: order.userName, email: order.userEmail }),
      })
      return { ok: true }
    }),
  )
  if (done.ok) shop.live.changed('orders', `order:${orderId}`)
  return done
}

/** MSG-20, S-083: with its messages, their pictures, marks and items; sales stay. */
export async function deleteConversation(
  shop: Doors & Pick<Shop, 'pictures'>,
  owner: User,
  orderId: string,
): Promise<Done<'not-found' | 'failed'>> {
  let gone: FilesOfPicture[] = []
  const done = await attempt(shop.log, 'a conversation could not be deleted', () =>
    transact(shop.db, async (tx): Promise<Done<'not-found'>> => {
      await lockOrder(tx, orderId)
      const pictures = await picturesOfOrder(tx, orderId)
      const deleted = await tx
        .deleteFrom('orders')
        .where('id', '=', orderId)
        .returning(['userName as name', 'userEmail as email'])
        .executeTakeFirst()
      if (!deleted) return { ok: false, refusal: 'not-found' }
      await recordAct(tx, { at: shop.now(), actor: owner.id, act: 'delete-conversation', subject: orderId, name: nameOf(deleted) })
      gone = await removePictureRows(tx, pictures)
      return { ok: true }
    }),
  )
  if (done.ok) await deletePictureFiles(shop, gone)
  if (done.ok) shop.live.changed('orders', `order:${orderId}`)
  return done
}

/** MSG-31, MSG-32, S-084: only an unsold item of an open order. */
export async function removeOrderItem(shop: Doors, owner: User, orderId: string, itemId: string): Promise<Done<RemoveRefusal>> {
  const done = await attempt(shop.log, 'an item could not be taken out of an order', () =>
    transact(shop.db, async (tx): Promise<Done<RemoveRefusal>> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, refusal: 'not-found' }
      if (order.isClosed) return { ok: false, refusal: 'closed' }
      const line = tx.selectFrom('orderItems').select(['name', 'isSold']).where('orderId', '=', orderId).where('itemId', '=', itemId)
      const item = await line.executeTakeFirst()
      if (!item) return { ok: false, refusal: 'not-found' }
      if (item.isSold) return { ok: false, refusal: 'already-sold' }
      await tx.deleteFrom('orderItems').where('orderId', '=', orderId).where('itemId', '=', itemId).where('isSold', '=', 0).execute()
      const now = shop.now()
      await tx.updateTable('orders').set({ createdAt: now }).where('id', '=', orderId).execute()
      const taken = {
        act: 'remove-order-item',
        subject: orderId,
        name: nameOf({ name: order.userName, email: order.userEmail }),
        also: item.name,
      } as const
      await recordAct(tx, { at: now, actor: owner.id, ...taken, detail: { itemId, item: item.name } })
      return { ok: true }
    }),
  )
  if (done.ok) shop.live.changed('orders', `order:${orderId}`)
  return done
}
