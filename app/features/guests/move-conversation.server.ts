/** The conversation of a guest goes on in that of the account (S-213); all of it inside the mover's transaction. */
import { sql } from 'kysely'
import type { OrderTable, Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { holdOwnOrder, lockOrder } from '#app/features/orders/order-rows.server.ts'
import type { User } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { mergedMark, mergeOrders, type Line } from './merged-order.ts'

/**
 * The guest's messages get the numbers after the account's, in their order and with their times: what stood there stays where it stood, so that
 * open pages, marks and links keep meaning the same. Both conversations are held until the end, so nothing written meanwhile is left behind.
 */
export async function moveConversation(tx: Tx, guestId: string, account: User, now: number): Promise<void> {
  const guest = await lockOrder(tx, guestId)
  if (!guest) return
  const own = await holdOwnOrder(tx, account, now)
  await moveOrder(tx, guest, own)
  await moveMarks(tx, guest, own)
  await moveMessages(tx, guest, own)
  // With what is left of it: lines, messages, marks, pictures' places.
  await tx.deleteFrom('orders').where('id', '=', guestId).execute()
  await tx
    .updateTable('orders')
    .set({ lastSeq: own.lastSeq + guest.lastSeq, createdAt: now, firstCreatedAt: Math.min(own.firstCreatedAt, guest.firstCreatedAt) })
    .where('id', '=', own.id)
    .execute()
}

async function moveOrder(tx: Tx, guest: OrderTable, own: OrderTable): Promise<void> {
  // One that was made just now, or holds nothing yet, has no order of its own to weigh.
  const isNew = own.lastSeq === 0
  const ofOwn = { isClosed: isNew ? guest.isClosed : own.isClosed, receiptTag: own.receiptTag, lines: await linesOf(tx, own.id) }
  const merged = mergeOrders(ofOwn, { ...guest, lines: await linesOf(tx, guest.id) })
  await tx.deleteFrom('orderItems').where('orderId', '=', own.id).execute()
  for (const [at, line] of merged.lines.entries())
    await tx
      .insertInto('orderItems')
      .values({ orderId: own.id, position: at + 1, ...line })
      .execute()
  for (const itemId of merged.askedTwice)
    await tx.deleteFrom('requests').where('orderId', '=', guest.id).where('itemId', '=', itemId).where('saleId', 'is', null).execute()
  await tx.updateTable('requests').set({ orderId: own.id }).where('orderId', '=', guest.id).execute()
  await tx.updateTable('orders').set({ isClosed: merged.isClosed, receiptTag: merged.receiptTag }).where('id', '=', own.id).execute()
}

const linesOf = (tx: Tx, orderId: string): Promise<Line[]> =>
  tx
    .selectFrom('orderItems')
    .select(['itemId', 'name', 'priceCents', 'isSold'])
    .where('orderId', '=', orderId)
    .orderBy('position')
    .orderBy('itemId')
    .execute()

/** Before the messages are there. */
async function moveMarks(tx: Tx, guest: OrderTable, own: OrderTable): Promise<void> {
  for (const [readerThere, readerHere] of [
    [ADMIN_ID, ADMIN_ID],
    [guest.id, own.id],
  ] as const) {
    const mark = await markOf(tx, own.id, readerHere)
    const unread = await tx
      .selectFrom('messages')
      .select('seq')
      .where('orderId', '=', own.id)
      .where('seq', '>', mark)
      .where('sender', '!=', readerHere)
      .limit(1)
      .executeTakeFirst()
    const seq = mergedMark({ mark, lastSeq: own.lastSeq, isAllRead: unread === undefined }, await markOf(tx, guest.id, readerThere))
    if (seq === mark) continue
    await tx
      .insertInto('readMarks')
      .values({ orderId: own.id, reader: readerHere, seq })
      .onConflict((conflict) => conflict.columns(['orderId', 'reader']).doUpdateSet({ seq }))
      .execute()
  }
}

const markOf = async (tx: Tx, orderId: string, reader: string): Promise<number> =>
  (await tx.selectFrom('readMarks').select('seq').where('orderId', '=', orderId).where('reader', '=', reader).executeTakeFirst())?.seq ?? 0

async function moveMessages(tx: Tx, guest: OrderTable, own: OrderTable): Promise<void> {
  await tellApart(tx, guest.id, own.id)
  await tx
    .insertInto('messages')
    .columns(['orderId', 'seq', 'id', 'message', 'sender', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('messages as m')
        .select([sql.lit(own.id).as('orderId'), sql<number>`m.seq + ${sql.lit(own.lastSeq)}`.as('seq'), 'm.id', 'm.message'])
        .select(sql<string>`case when m.sender = ${guest.id} then ${own.id} else m.sender end`.as('sender'))
        .select('m.createdAt')
        .where('m.orderId', '=', guest.id),
    )
    .execute()
  // Places of pictures follow their messages.
  await tx.updateTable('messagePictures').set({ orderId: own.id }).where('orderId', '=', guest.id).execute()
}

/** Ids of messages come from browsers: one that both conversations have gets a new one. */
async function tellApart(tx: Tx, guestId: string, ownId: string): Promise<void> {
  const both = await tx
    .selectFrom('messages as m')
    .innerJoin('messages as there', 'there.id', 'm.id')
    .select(['m.id', 'm.seq'])
    .where('m.orderId', '=', guestId)
    .where('there.orderId', '=', ownId)
    .execute()
  for (const { id, seq } of both) {
    const fresh = newId15()
    const pictures = await tx
      .deleteFrom('messagePictures')
      .where('orderId', '=', guestId)
      .where('messageId', '=', id)
      .returningAll()
      .execute()
    await tx.updateTable('messages').set({ id: fresh }).where('orderId', '=', guestId).where('seq', '=', seq).execute()
    if (pictures.length > 0)
      await tx
        .insertInto('messagePictures')
        .values(pictures.map((picture) => ({ ...picture, messageId: fresh })))
        .execute()
  }
}
