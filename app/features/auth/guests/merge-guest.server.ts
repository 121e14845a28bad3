/** Moves all data of a guest into an account in one transaction, and deletes the guest. [S-002] */
import { sql } from 'kysely'
import type { OrderTable, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { getOrCreateLockedOrder, lockOrder } from '#app/features/orders/orders.server.ts'
import { hasAtLeastImages, IMAGE_QUOTA } from '#app/features/messaging/message-images.server.ts'
import { OPEN_STATES } from '#app/features/offers/offer.ts'
import type { User } from '#app/services/context.ts'
import { newId8, newSecretId } from '#app/lib/text/ids.ts'
import { mergedReadReceipt, mergeOrders, type OrderItemToMerge } from './guests.ts'
import { mergeErrorTexts } from './texts.ts'
import { createSessionFor, type AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { publishSessionEnds, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { lockUser } from '#app/services/users.server.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { findVerifiedAccount, readMergePreview, type LinkResult } from './link-guest.server.ts'

/** Locks both conversations, and adds the guest's messages after the account's last message, so that the account's messages keep their numbers. If guest and account have agreed on the same piece, moves nothing and returns the name of this piece. `hadHold` says whether a hold has moved or ended. */
async function mergeConversation(
  tx: Tx,
  guestId: string,
  account: User,
  now: number,
): Promise<{ agreedTwice: string | null; hadHold: boolean }> {
  const guest = await lockOrder(tx, guestId)
  if (!guest) return { agreedTwice: null, hadHold: false }
  const own = await getOrCreateLockedOrder(tx, account, now)
  // The conversations are locked, so neither the guest nor the account can accept another offer meanwhile.
  const agreedTwice = await findPieceAgreedTwice(tx, guestId, account.id)
  if (agreedTwice !== null) return { agreedTwice, hadHold: false }
  await mergeOrder(tx, guest, own)
  await mergeReadReceipts(tx, guest, own)
  await moveMessages(tx, guest, own)
  const hadHold = await moveOffers(tx, guest, own, now)
  await tx.deleteFrom('orders').where('id', '=', guestId).execute()
  await tx
    .updateTable('orders')
    .set({
      lastSeq: own.lastSeq + guest.lastSeq,
      lastMessageAt: Math.max(own.lastMessageAt, guest.lastMessageAt),
      createdAt: now,
      firstCreatedAt: Math.min(own.firstCreatedAt, guest.firstCreatedAt),
    })
    .where('id', '=', own.id)
    .execute()
  return { agreedTwice: null, hadHold }
}

async function mergeOrder(tx: Tx, guest: OrderTable, own: OrderTable): Promise<void> {
  // If the account has no messages, the merged order is open or closed like the guest's order.
  const isNew = own.lastSeq === 0
  const ofOwn = {
    isClosed: isNew ? guest.isClosed : own.isClosed,
    receiptTag: own.receiptTag,
    lines: await readOrderItems(tx, own.id),
  }
  const merged = mergeOrders(ofOwn, { ...guest, lines: await readOrderItems(tx, guest.id) })
  await tx.deleteFrom('orderItems').where('orderId', '=', own.id).execute()
  const lines = merged.lines.map((line, at) => ({ orderId: own.id, position: at + 1, ...line }))
  if (lines.length > 0) await tx.insertInto('orderItems').values(lines).execute()
  for (const itemId of merged.askedTwice)
    await tx
      .deleteFrom('requests')
      .where('orderId', '=', guest.id)
      .where('itemId', '=', itemId)
      .where('saleId', 'is', null)
      .execute()
  await tx
    .updateTable('requests')
    .set({ orderId: own.id })
    .where('orderId', '=', guest.id)
    .execute()
  await tx
    .updateTable('orders')
    .set({ isClosed: merged.isClosed, receiptTag: merged.receiptTag })
    .where('id', '=', own.id)
    .execute()
}

/** Returns the name of a piece of which the guest and the account have each accepted an offer, or null. The merged order contains a piece only once, so it cannot keep both offers. */
async function findPieceAgreedTwice(
  tx: Tx,
  guestId: string,
  accountId: string,
): Promise<string | null> {
  const agreed = (orderId: string) =>
    tx
      .selectFrom('orderItems')
      .where('orderId', '=', orderId)
      .where('isSold', '=', 0)
      .where('offerId', 'is not', null)
  const both = agreed(guestId)
    .select('name')
    .where('itemId', 'in', agreed(accountId).select('itemId'))
  return (await both.limit(1).executeTakeFirst())?.name ?? null
}

/** If both conversations have an open offer, the guest's offer replaces the account's offer, because the guest is shopping now. Returns whether a hold has moved or ended. */
async function moveOffers(
  tx: Tx,
  guest: OrderTable,
  own: OrderTable,
  now: number,
): Promise<boolean> {
  const open = await tx
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', guest.id)
    .where('state', 'in', OPEN_STATES)
    .execute()
  if (open.length > 0)
    await tx
      .updateTable('offers')
      .set({ state: 'replaced', changedAt: now })
      .where('orderId', '=', own.id)
      .where('state', 'in', OPEN_STATES)
      .execute()
  await tx.updateTable('offers').set({ orderId: own.id }).where('orderId', '=', guest.id).execute()
  const replaced = tx
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', own.id)
    .where('state', '=', 'replaced')
  const ended = await tx.deleteFrom('holds').where('offerId', 'in', replaced).executeTakeFirst()
  const moved = await tx
    .updateTable('holds')
    .set({ orderId: own.id })
    .where('orderId', '=', guest.id)
    .executeTakeFirst()
  return ended.numDeletedRows + moved.numUpdatedRows > 0n
}

const readOrderItems = (tx: Tx, orderId: string): Promise<OrderItemToMerge[]> =>
  tx
    .selectFrom('orderItems')
    .select([
      'itemId',
      'name',
      'priceCents',
      'shownPriceCents',
      'isSold',
      'saleId',
      'color',
      'offerId',
      'agreedCents',
      'quantity',
    ])
    .where('orderId', '=', orderId)
    .orderBy('position')
    .orderBy('itemId')
    .execute()

async function mergeReadReceipts(tx: Tx, guest: OrderTable, own: OrderTable): Promise<void> {
  for (const [readerThere, readerHere] of [
    [ADMIN_ID, ADMIN_ID],
    [guest.id, own.id],
  ] as const) {
    const mark = await readReceiptOf(tx, own.id, readerHere)
    const unread = await tx
      .selectFrom('messages')
      .select('seq')
      .where('orderId', '=', own.id)
      .where('seq', '>', mark)
      .where('sender', '!=', readerHere)
      .limit(1)
      .executeTakeFirst()
    const seq = mergedReadReceipt(
      { mark, lastSeq: own.lastSeq, isAllRead: unread === undefined },
      await readReceiptOf(tx, guest.id, readerThere),
    )
    if (seq === mark) continue
    await tx
      .insertInto('readReceipts')
      .values({ orderId: own.id, reader: readerHere, seq })
      .onConflict((conflict) => conflict.columns(['orderId', 'reader']).doUpdateSet({ seq }))
      .execute()
  }
}

const readReceiptOf = async (tx: Tx, orderId: string, reader: string): Promise<number> =>
  (
    await tx
      .selectFrom('readReceipts')
      .select('seq')
      .where('orderId', '=', orderId)
      .where('reader', '=', reader)
      .executeTakeFirst()
  )?.seq ?? 0

/** Moves the guest's messages and gives them new ids. Browsers choose the ids of messages, so both conversations may contain the same id. [CONST-05] */
async function moveMessages(tx: Tx, guest: OrderTable, own: OrderTable): Promise<void> {
  const movedId = sql<string>`${sql.lit(newId8().slice(1))} || (10000000 + m.seq)`
  await tx
    .insertInto('messages')
    .columns([
      'orderId',
      'seq',
      'id',
      'message',
      'sender',
      'createdAt',
      'itemId',
      'itemName',
      'itemColor',
      'itemPriceCents',
      'offerId',
    ])
    .expression((eb) =>
      eb
        .selectFrom('messages as m')
        .select([
          sql.lit(own.id).as('orderId'),
          sql<number>`m.seq + ${sql.lit(own.lastSeq)}`.as('seq'),
          movedId.as('id'),
          'm.message',
        ])
        .select(
          sql<string>`case when m.sender = ${guest.id} then ${own.id} else m.sender end`.as(
            'sender',
          ),
        )
        .select([
          'm.createdAt',
          'm.itemId',
          'm.itemName',
          'm.itemColor',
          'm.itemPriceCents',
          'm.offerId',
        ])
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

/** `seen` is the version of the preview to which the guest agreed. */
export async function mergeGuest(
  auth: AuthRequest,
  guest: User,
  seen: string,
): Promise<LinkResult> {
  const { app } = auth
  const moved = await tryWrite(app.log, 'a guest could not be moved into her account', () =>
    inTransaction(app.db, (tx) => mergeGuestData(tx, guest.id, seen, app.now())),
  )
  if (!moved.ok) {
    const error =
      moved.refusal === 'agreed-twice'
        ? mergeErrorTexts['agreed-twice'](moved.piece)
        : mergeErrorTexts[moved.refusal]
    return { ok: false, error, status: moved.refusal === 'failed' ? 500 : 409 }
  }
  publishSessionEnds(app, moved.sessions)
  await app.authWebhook.accountGone(guest.id)
  // Pages tell each viewer for whom an item is on hold, so they change when a hold moves to another user.
  if (moved.hadHold) app.live.changed('catalog')
  app.live.changed(
    'orders',
    'sales',
    `order:${guest.id}`,
    `order:${moved.accountId}`,
    `user:${moved.accountId}`,
  )
  // If this login fails, the user can log in to the account herself, because her data has already moved.
  await tryWrite(app.log, 'a moved guest could not be signed in', () =>
    createSessionFor(auth, moved.accountId),
  )
  return { ok: true }
}

async function mergeGuestData(tx: Tx, guestId: string, seen: string, now: number) {
  // On PostgreSQL, the update of a unique column blocks new references to the guest's row. So a concurrent favorite or message is either written before the move, or refused after it.
  const held = await tx
    .updateTable('user')
    .set({ email: `moving-${newSecretId()}@guest.invalid` })
    .where('id', '=', guestId)
    .where('isAnonymous', '=', true)
    .executeTakeFirst()
  if (held.numUpdatedRows === 0n) return { ok: false, refusal: 'not-a-guest' } as const
  const account = await findVerifiedAccount(tx, guestId, now)
  const preview = await readMergePreview(tx, guestId, now)
  // Locks the account, because another request may delete it concurrently.
  if (!account || !preview || !(await lockUser(tx, account.id)))
    return { ok: false, refusal: 'unproven' } as const
  if (preview.version !== seen) return { ok: false, refusal: 'changed' } as const
  if (
    (await hasAtLeastImages(tx, account.id, IMAGE_QUOTA.customer)) &&
    (await hasAtLeastImages(tx, guestId, 1))
  )
    return { ok: false, refusal: 'account-full' } as const
  const { agreedTwice, hadHold } = await mergeConversation(
    tx,
    guestId,
    { ...account, sessionId: '' },
    now,
  )
  if (agreedTwice !== null)
    return { ok: false, refusal: 'agreed-twice', piece: agreedTwice } as const
  await tx
    .insertInto('favorites')
    .columns(['userId', 'itemId', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('favorites as f')
        .select([eb.val(account.id).as('userId'), 'f.itemId', 'f.createdAt'])
        .where('f.userId', '=', guestId),
    )
    .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
    .execute()
  await tx
    .updateTable('chatUploads')
    .set({ sender: account.id })
    .where('sender', '=', guestId)
    .execute()
  await tx
    .updateTable('credits')
    .set({ userId: account.id })
    .where('userId', '=', guestId)
    .execute()
  // Sales and testimonies move to the account, but keep the name of the guest.
  await tx
    .updateTable('sales')
    .set({ buyerId: account.id })
    .where('buyerId', '=', guestId)
    .execute()
  await tx
    .updateTable('testimonies')
    .set({ writerId: account.id })
    .where('writerId', '=', guestId)
    .execute()
  // When the account is deleted later, the shop also removes the person's name from these audit events.
  await tx
    .updateTable('audit')
    .set({ subject: account.id })
    .where('subject', '=', guestId)
    .execute()
  const sessions = await deleteSessions(tx, guestId, null)
  await tx.deleteFrom('user').where('id', '=', guestId).where('isAnonymous', '=', true).execute()
  return { ok: true, accountId: account.id, sessions, hadHold } as const
}
