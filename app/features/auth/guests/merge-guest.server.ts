/** A guest’s things move into the account that she has proven to be hers: all of them or none, once (S-002, 033). */
import { sql } from 'kysely'
import type { OrderTable, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { holdOwnOrder, lockOrder } from '#app/features/orders/orders.server.ts'
import type { User } from '#app/platform/context.ts'
import { newId8, newSecretId } from '#app/platform/ids.ts'
import { mergedMark, mergeOrders, moveTexts, type Line } from './guests.ts'
import { enterAs, type Asker } from '#app/features/auth/auth-client.server.ts'
import { closeSessions, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { lockUser } from '#app/platform/users.server.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { provenAccount, readWhatMoves, type Linked } from './link-guest.server.ts'

/**
 * The guest's messages get the numbers after the account's, in their order and with their times: what stood there stays where it stood, so that
 * open pages, marks and links keep meaning the same. Both conversations are held until the end, so nothing written meanwhile is left behind.
 */
async function moveConversation(tx: Tx, guestId: string, account: User, now: number): Promise<void> {
  const guest = await lockOrder(tx, guestId)
  if (!guest) return
  const own = await holdOwnOrder(tx, account, now)
  await moveOrder(tx, guest, own)
  await moveMarks(tx, guest, own)
  await moveMessages(tx, guest, own)
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
  const lines = merged.lines.map((line, at) => ({ orderId: own.id, position: at + 1, ...line }))
  if (lines.length > 0) await tx.insertInto('orderItems').values(lines).execute()
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

/** Ids of messages come from browsers, and both conversations may have the same one: messages that move get new ones, numbered after seven random letters (CONST-05). */
async function moveMessages(tx: Tx, guest: OrderTable, own: OrderTable): Promise<void> {
  const movedId = sql<string>`${sql.lit(newId8().slice(1))} || (10000000 + m.seq)`
  await tx
    .insertInto('messages')
    .columns(['orderId', 'seq', 'id', 'message', 'sender', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('messages as m')
        .select([sql.lit(own.id).as('orderId'), sql<number>`m.seq + ${sql.lit(own.lastSeq)}`.as('seq'), movedId.as('id'), 'm.message'])
        .select(sql<string>`case when m.sender = ${guest.id} then ${own.id} else m.sender end`.as('sender'))
        .select('m.createdAt')
        .where('m.orderId', '=', guest.id),
    )
    .execute()
  await tx
    .updateTable('messagePictures')
    .set((eb) => ({
      orderId: own.id,
      messageId: eb
        .selectFrom('messages as m')
        .select(movedId.as('id'))
        .where('m.orderId', '=', guest.id)
        .whereRef('m.id', '=', 'messagePictures.messageId'),
    }))
    .where('orderId', '=', guest.id)
    .execute()
}

/** `seen`: the version of what she was shown and said Yes to. */
export async function moveGuest(asker: Asker, guest: User, seen: string): Promise<Linked> {
  const { shop } = asker
  const moved = await attempt(shop.log, 'a guest could not be moved into her account', () =>
    transact(shop.db, (tx) => moveAll(tx, guest.id, seen, shop.now())),
  )
  if (!moved.ok) return { ok: false, error: moveTexts[moved.refusal], status: moved.refusal === 'failed' ? 500 : 409 }
  // Everything is in its place. Should she not get her session now, her password lets her in.
  await enterAs(asker, moved.accountId)
  closeSessions(shop, moved.sessions)
  shop.authSync.accountGone(guest.id)
  shop.live.changed('orders', 'sales', `order:${guest.id}`, `order:${moved.accountId}`, `user:${moved.accountId}`)
  return { ok: true }
}

async function moveAll(tx: Tx, guestId: string, seen: string, now: number) {
  // A change of what is unique holds off, on PostgreSQL, whatever would refer to the row: a favourite or conversation of this very moment is
  // either here already or finds no guest any more.
  const held = await tx
    .updateTable('user')
    .set({ email: `moving-${newSecretId()}@guest.invalid` })
    .where('id', '=', guestId)
    .where('isAnonymous', '=', true)
    .executeTakeFirst()
  if (held.numUpdatedRows === 0n) return { ok: false, refusal: 'not-a-guest' } as const
  const account = await provenAccount(tx, guestId, now)
  const there = await readWhatMoves(tx, guestId, now)
  // The account is held as well: one that is deleted at this moment takes nothing over.
  if (!account || !there || !(await lockUser(tx, account.id))) return { ok: false, refusal: 'unproven' } as const
  if (there.version !== seen) return { ok: false, refusal: 'changed' } as const
  await tx
    .insertInto('favourites')
    .columns(['userId', 'itemId', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('favourites as f')
        .select([eb.val(account.id).as('userId'), 'f.itemId', 'f.createdAt'])
        .where('f.userId', '=', guestId),
    )
    .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
    .execute()
  await moveConversation(tx, guestId, { ...account, sessionId: '' }, now)
  await tx.updateTable('chatUploads').set({ sender: account.id }).where('sender', '=', guestId).execute()
  // The names on receipts and testimonies stay as they were written.
  await tx.updateTable('sales').set({ buyerId: account.id }).where('buyerId', '=', guestId).execute()
  await tx.updateTable('testimonies').set({ writerId: account.id }).where('writerId', '=', guestId).execute()
  const sessions = await deleteSessions(tx, guestId, null)
  await tx.deleteFrom('user').where('id', '=', guestId).where('isAnonymous', '=', true).execute()
  return { ok: true, accountId: account.id, sessions } as const
}
