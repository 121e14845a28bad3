/** What is read of conversations: one of them, and how much of them is unread. */
import { prepareQuery } from '#app/platform/prepared-query.server.ts'
import type { Db, OrderTable, Tx } from '#db/tables.ts'
import type { User } from '#app/platform/context.ts'
import type { Conversation, Writer } from '#app/features/orders/order.ts'
import { NEWEST, readMessages, type Cut } from './message-pages.server.ts'

/** Who a conversation is with. */
export const writerOf = (order: Pick<OrderTable, 'id' | 'userName' | 'userEmail' | 'userPhotoURL'>): Writer => ({
  id: order.id,
  name: order.userName,
  email: order.userEmail,
  photoURL: order.userPhotoURL,
})

/** DATA-103, S-164: one conversation as `viewerId` sees it, a page of its messages at a time; whether she may is the caller's question. */
export async function readConversation(db: Db | Tx, orderId: string, viewerId: string, cut: Cut = NEWEST): Promise<Conversation | null> {
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  if (!order) return null
  const items = await db
    .selectFrom('orderItems')
    .select(['itemId as id', 'name', 'priceCents', 'isSold'])
    .where('orderId', '=', orderId)
    .orderBy('position')
    .orderBy('itemId')
    .execute()
  const page = await readMessages(db, orderId, cut)
  const readMarks = await db.selectFrom('readMarks').select(['reader', 'seq']).where('orderId', '=', orderId).orderBy('reader').execute()
  const mark = readMarks.find(({ reader }) => reader === viewerId)?.seq ?? 0
  // What the reader has before her: a message that comes meanwhile must not count as read with it.
  const lastSeq = page.messages.at(-1)?.seq ?? 0
  return {
    id: order.id,
    user: writerOf(order),
    items: items.map((item) => ({ ...item, isSold: item.isSold === 1 })),
    ...page,
    hasLater: cut.before !== null && lastSeq < order.lastSeq,
    readMarks,
    receiptTag: order.receiptTag,
    isClosed: order.isClosed === 1,
    fromContactPage: order.fromContactPage === 1,
    isAbandoned: order.userId === null && order.fromContactPage === 0,
    createdAt: order.createdAt,
    lastSeq,
    unread:
      lastSeq === order.lastSeq
        ? await readUnread(db, orderId, viewerId)
        : // Of a page of earlier ones: what is newer is not before her.
          await countUnreadOf(db, orderId, viewerId, mark, lastSeq),
  }
}

async function readUnread(db: Db | Tx, orderId: string, reader: string): Promise<number> {
  const kept = db.selectFrom('unreadCounts').select('unread').where('orderId', '=', orderId).where('reader', '=', reader)
  return (await kept.executeTakeFirst())?.unread ?? 0
}

/** CHAT-09, S-076: newer than the reader's mark, up to what she has before her, and written by somebody else. */
async function countUnreadOf(db: Db | Tx, orderId: string, viewerId: string, mark: number, lastSeq: number): Promise<number> {
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

/** NAV-46, NAV-48, S-168: the owner's across all orders, anyone else's in their own conversation; kept with each message and mark (042). */
export async function countUnread(db: Db | Tx, user: Pick<User, 'id' | 'role'>): Promise<number> {
  const [row] = await (user.role === 'admin' ? unreadOfAll : unreadOfOne)(db, user.id)
  return Number(row?.count ?? 0)
}

const unreadOf = (db: Db | Tx, reader: string) =>
  db
    .selectFrom('unreadCounts')
    .where('reader', '=', reader)
    .where('unread', '>', 0)
    .select((eb) => eb.fn.sum<number | null>('unread').as('count'))
const unreadOfAll = prepareQuery(unreadOf)
const unreadOfOne = prepareQuery((db, reader: string) => unreadOf(db, reader).where('orderId', '=', reader))
