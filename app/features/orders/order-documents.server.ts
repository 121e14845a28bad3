/** Whole conversations as documents of the specification's section 3 (S-134), their messages read a part at a time: none is held as a whole. */
import type { Db, OrderTable, Tx } from '#db/schema.ts'
import type { Message, ReadMark } from './order.ts'

const MESSAGES = 500

/** In the order of `ids`; those that are gone meanwhile are left out. Each must be written before the next is asked for. */
export async function* eachOrder(db: Db | Tx, ids: readonly string[]) {
  for (const id of ids) {
    const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) continue
    const items = await db
      .selectFrom('orderItems')
      .select(['itemId as id', 'name', 'priceCents', 'isSold'])
      .where('orderId', '=', id)
      .orderBy('position')
      .orderBy('itemId')
      .execute()
    const marks = await db.selectFrom('readMarks').select(['reader', 'seq']).where('orderId', '=', id).execute()
    const readMarks = marks.toSorted((a, b) => (a.reader < b.reader ? -1 : 1))
    yield { row, fields: orderFields(row, items, messagesOf(db, row, readMarks)) }
  }
}

/** Up to the newest of when the conversation was read. */
async function* messagesOf(db: Db | Tx, { id, lastSeq }: OrderTable, marks: ReadMark[]) {
  for (let from = 0; from < lastSeq; from += MESSAGES) {
    const messages = await db
      .selectFrom('messages')
      .select(['seq', 'id', 'message', 'sender', 'createdAt'])
      .where('orderId', '=', id)
      .where('seq', '>', from)
      .where('seq', '<=', Math.min(from + MESSAGES, lastSeq))
      .orderBy('seq')
      .execute()
    // DATA-034 to DATA-038
    yield messages.map(({ seq, ...message }) => ({ ...message, read: readersOf({ seq, ...message }, marks) }))
  }
}

/** DATA-038, CHAT-11, CHAT-12: the sender and everyone whose mark has reached the message, each once. */
export const readersOf = (message: Message, marks: readonly ReadMark[]): string[] => [
  ...new Set([message.sender, ...marks.filter((mark) => mark.seq >= message.seq).map((mark) => mark.reader)]),
]

type Line = { id: string; name: string; priceCents: number; isSold: 0 | 1 }

/**
 * DATA-018 to DATA-038; a closed order keeps id, items, messages, user and isClosed only (MSG-11), and its time (S-079). `messages` are read
 * while they are written (028). Prices are in dollars.
 */
function orderFields<Messages>(row: OrderTable, items: Line[], messages: Messages) {
  const sender = { name: row.userName, email: row.userEmail, photoURL: row.userPhotoURL }
  return {
    id: row.id,
    items: items.map(({ id, name, priceCents, isSold }) => ({ id, name, price: priceCents / 100, ...(isSold && { isSold: true }) })),
    messages,
    user: { ...sender, id: row.id },
    isClosed: row.isClosed === 1,
    createdAt: row.createdAt,
    ...(!row.isClosed && {
      ...(row.receiptTag && { receiptTag: row.receiptTag }),
      fromContactPage: row.fromContactPage === 1,
      // Contact conversations carry their sender at the top as well (S-032).
      ...(row.fromContactPage && sender),
    }),
  }
}
