import { type ExpressionBuilder, sql } from 'kysely'
import type { Db, OrderTable, Tables, Tx } from '#db/schema.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { inSharedTransaction, inTransaction } from '#app/lib/db/transaction.server.ts'
import type { MessagePage, SendRefusal, Writer } from '#app/features/orders/order.ts'
import {
  MAX_MESSAGE_LENGTH,
  replyBlockedReason,
  withPlainBreaks,
} from '#app/features/orders/order.ts'
import type { NewMessage } from '#app/features/orders/orders.server.ts'
import {
  appendMessage,
  customerColumns,
  getOrCreateLockedOrder,
  lockOrder,
  openClosedOrder,
  resolveMessageId,
} from '#app/features/orders/orders.server.ts'
import { markOffersSeen } from '#app/features/offers/offers.server.ts'
import { withOffers } from '#app/features/offers/read-offers.server.ts'
import {
  requestColumns,
  withRequestedPieces,
} from '#app/features/orders/requested-pieces.server.ts'
import { MAX_MESSAGE_PICTURES } from './message-images.ts'
import {
  hasNewAttachments,
  attachImages,
  ImagesLostError,
  withImages,
} from './message-images.server.ts'
import { findLinks } from './message-links.server.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now'>
type SendResult = { ok: true } | { ok: false; refusal: SendRefusal }

/** Stores a message of the signed-in user. If the same message is already stored, nothing changes. [CHAT-07, CHAT-08, MSG-07, ROLES-25, S-074, S-075, S-078] */
export async function sendMessage(
  app: Deps,
  user: User,
  orderId: string,
  { message: text, messageId, pictures = [], seen = 0 }: NewMessage,
): Promise<SendResult> {
  const message = withPlainBreaks(text)
  if (!canAccess(user, orderId)) return { ok: false, refusal: 'not-found' }
  if (message.length > MAX_MESSAGE_LENGTH) return { ok: false, refusal: 'too-long' }
  if (pictures.length > MAX_MESSAGE_PICTURES) return { ok: false, refusal: 'too-many-pictures' }
  const isCustomer = user.role !== 'admin'
  const now = app.now()
  const write = async (tx: Tx): Promise<SendResult> => {
    const order = isCustomer
      ? await getOrCreateLockedOrder(tx, user, now)
      : await lockOrder(tx, orderId)
    if (!order) return { ok: false, refusal: 'not-found' }
    const known = await resolveMessageId(tx, orderId, user.id, { message, messageId })
    if (
      known === null &&
      !(await hasNewAttachments(tx, { orderId, messageId, sender: user.id }, pictures))
    )
      return { ok: true }
    const id = known ?? newId15()
    const refusal = isCustomer
      ? null
      : replyBlockedReason({
          isClosed: order.isClosed === 1,
          fromContactPage: order.fromContactPage === 1,
        })
    if (refusal) return { ok: false, refusal }
    if (isCustomer)
      await tx.updateTable('orders').set(customerColumns(user)).where('id', '=', orderId).execute()
    // A message of the customer reopens a closed order. [S-304]
    if (order.isClosed) await openClosedOrder(tx, orderId)
    // Marks the messages that the sender saw as read. A message that arrived later stays unread. [S-081]
    const isRaised = await raiseReadReceipt(tx, order, user.id, seen)
    if (isCustomer && isRaised) await markOffersSeen(tx, orderId, seen, now)
    await appendMessage(tx, orderId, { id, message, sender: user.id }, now)
    await attachImages(tx, { orderId, messageId: id, sender: user.id }, [...new Set(pictures)])
    return { ok: true }
  }
  const done = await inSharedTransaction(app.db, write).catch((error: unknown): SendResult => {
    if (error instanceof ImagesLostError) return { ok: false, refusal: 'pictures-lost' }
    throw error
  })
  if (done.ok) app.live.changed('orders', `order:${orderId}`)
  return done
}

/** Moves the read receipt forward to `seq`. Returns false if the reader has already read this message or if `seq` is invalid. */
async function raiseReadReceipt(
  tx: Tx,
  order: { id: string; lastSeq: number },
  reader: string,
  seq: number,
): Promise<boolean> {
  const upTo = Math.min(seq, order.lastSeq)
  if (!Number.isSafeInteger(seq) || upTo < 1) return false
  const marked = await tx
    .insertInto('readReceipts')
    .values({ orderId: order.id, reader, seq: upTo })
    .onConflict((conflict) =>
      conflict
        .columns(['orderId', 'reader'])
        .doUpdateSet({ seq: upTo })
        .where('readReceipts.seq', '<', upTo),
    )
    .executeTakeFirst()
  return Boolean(marked.numInsertedOrUpdatedRows)
}

/** Marks messages as read up to `seq`. The read receipt never moves backward or beyond the newest message. [CHAT-10 to CHAT-13, MSG-06] */
export async function markRead(app: Deps, user: User, orderId: string, seq: number): Promise<void> {
  if (!canAccess(user, orderId) || !Number.isSafeInteger(seq) || seq < 1) return
  const isChanged = await inTransaction(app.db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || !(await raiseReadReceipt(tx, order, user.id, seq))) return false
    if (user.role !== 'admin') await markOffersSeen(tx, orderId, seq, app.now())
    await tx.updateTable('orders').set({ createdAt: app.now() }).where('id', '=', orderId).execute()
    return true
  })
  if (isChanged) app.live.changed('orders', `order:${orderId}`)
}

export const toWriter = (
  order: Pick<OrderTable, 'id' | 'userName' | 'userEmail' | 'userPhotoURL'>,
): Writer => ({
  id: order.id,
  name: order.userName,
  email: order.userEmail,
  photoURL: order.userPhotoURL,
})

/** Returns a page of the conversation as `viewerId` sees it. The caller must check beforehand that the viewer may read the conversation. [DATA-103, S-164] */
export async function readConversation(
  db: Db | Tx,
  orderId: string,
  viewerId: string,
  before: number | null = null,
) {
  const order = await db
    .selectFrom('orders')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('user')
        .select('emailVerified')
        .whereRef('user.id', '=', 'orders.userId')
        .as('isEmailConfirmed'),
    )
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!order) return null
  const page = await readMessages(db, orderId, before)
  const receiptsOfOrder = db
    .selectFrom('readReceipts')
    .select(['reader', 'seq'])
    .where('orderId', '=', orderId)
  const readReceipts = await receiptsOfOrder.orderBy('reader').execute()
  const mark = readReceipts.find(({ reader }) => reader === viewerId)?.seq ?? 0
  // A page marks messages as read only up to this message, so a message that arrives later stays unread.
  const lastSeq = page.messages.at(-1)?.seq ?? 0
  return {
    id: order.id,
    user: toWriter(order),
    phone: order.userPhone,
    /** whether the customer has an account and has not confirmed that its email address is hers */
    isEmailUnconfirmed: order.userId !== null && !order.isEmailConfirmed,
    ...page,
    /** true if the conversation has newer messages than this page */
    hasLater: before !== null && lastSeq < order.lastSeq,
    readReceipts,
    receiptTag: order.receiptTag,
    isClosed: order.isClosed === 1,
    fromContactPage: order.fromContactPage === 1,
    /** true if the customer's account was deleted; no customer would read a reply [S-004] */
    isAbandoned: order.userId === null && order.fromContactPage === 0,
    createdAt: order.createdAt,
    lastSeq,
    // Unread messages after the last message of this page do not count, because the page does not show them.
    unread: await countUnreadUpTo(db, orderId, viewerId, mark, lastSeq),
  }
}

export type Conversation = NonNullable<Awaited<ReturnType<typeof readConversation>>>

/** Counts the messages of other senders after the read receipt `mark`, up to the message `lastSeq`. [CHAT-09, S-076] */
async function countUnreadUpTo(
  db: Db | Tx,
  orderId: string,
  viewerId: string,
  mark: number,
  lastSeq: number,
): Promise<number> {
  if (lastSeq <= mark) return 0
  const { count } = await db
    .selectFrom('messages')
    .where('orderId', '=', orderId)
    .where('seq', '>', mark)
    .where('seq', '<=', lastSeq)
    .where('sender', '!=', viewerId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type OrderExpressions = ExpressionBuilder<Tables & { o: OrderTable }, 'o'>

const readUpTo = (eb: OrderExpressions, reader: string) =>
  eb.fn.coalesce(
    eb
      .selectFrom('readReceipts as receipt')
      .select('receipt.seq')
      .whereRef('receipt.orderId', '=', 'o.id')
      .where('receipt.reader', '=', reader),
    sql.lit(0),
  )

/** This SQL expression counts the messages of the order `o` that `reader` has not read. [CHAT-09] */
export const unreadCount = (eb: OrderExpressions, reader: string) =>
  eb
    .selectFrom('messages as unread')
    .whereRef('unread.orderId', '=', 'o.id')
    .where('unread.seq', '>', readUpTo(eb, reader))
    .where('unread.sender', '!=', reader)
    .select(({ fn }) => fn.countAll<number>().as('count'))

/** Matches orders in which the reader has unread messages. The fast comparison of sequence numbers comes first, so that the database counts the messages of only a few orders. */
export const hasUnread = (eb: OrderExpressions, reader: string) =>
  eb.and([eb('o.lastSeq', '>', readUpTo(eb, reader)), eb(unreadCount(eb, reader), '>', 0)])

/** Counts the owner's unread messages in all orders, or a customer's unread messages in her own order. [NAV-46, NAV-48, S-168] */
export async function countUnread(
  db: Db | Tx,
  { id, role }: Pick<User, 'id' | 'role'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('orders as o')
    .where((eb) => hasUnread(eb, id))
    .$if(role !== 'admin', (own) => own.where('o.id', '=', id))
    .select((eb) => eb.fn.sum<number | null>(unreadCount(eb, id)).as('count'))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

/** Returns the number of unread messages from a cache, because every page needs the number for its bell. */
export const getUnreadCountCached = (
  app: Pick<AppServices, 'db' | 'live'>,
  user: Pick<User, 'id' | 'role'>,
): Promise<number> =>
  cached(app, ['orders'], `unread messages of ${user.id}`, () => countUnread(app.db, user))

export async function hasOwnerWritten(db: Db, userId: string): Promise<boolean> {
  const written = db
    .selectFrom('messages')
    .select('seq')
    .where('orderId', '=', userId)
    .where('sender', '=', ADMIN_ID)
  return (await written.limit(1).executeTakeFirst()) !== undefined
}

export const MESSAGES_PAGE_SIZE = 50

/** Reads the page of messages before the sequence number `before`, or the newest page if `before` is null. The oldest message comes first. [DATA-103, S-164, S-165] */
export async function readMessages(
  db: Db | Tx,
  orderId: string,
  before: number | null,
): Promise<MessagePage> {
  const rows = await db
    .selectFrom('messages')
    .select(['seq', 'id', 'message', 'sender', 'createdAt', 'offerId', ...requestColumns])
    .where('orderId', '=', orderId)
    .$if(before !== null, (query) => query.where('seq', '<', before))
    .orderBy('seq', 'desc')
    .limit(MESSAGES_PAGE_SIZE + 1)
    .execute()
  const messages = rows
    .slice(0, MESSAGES_PAGE_SIZE)
    .toReversed()
    .map((message) => {
      const links = findLinks(message.message)
      return links.length > 0 ? { ...message, links } : message
    })
  const shown = await withRequestedPieces(db, orderId, await withOffers(db, messages))
  return {
    messages: await withImages(db, orderId, shown),
    hasEarlier: rows.length > MESSAGES_PAGE_SIZE,
  }
}

export const canAccess = (user: Pick<User, 'id' | 'role'>, orderId: string): boolean =>
  user.role === 'admin' || user.id === orderId
