/** Exports conversations in the document format of the specification, and reads the messages of each conversation in batches. [S-134] */
import type { Db, OrderTable, Tx } from '#db/schema.ts'
import type { Message, ReadReceipt } from './order.ts'

const MESSAGE_BATCH_SIZE = 500

/** Yields the orders that still exist. The caller must read all messages of an order before it asks for the next order. */
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
    const receipts = await db
      .selectFrom('readReceipts')
      .select(['reader', 'seq'])
      .where('orderId', '=', id)
      .execute()
    const readReceipts = receipts.toSorted((a, b) => (a.reader < b.reader ? -1 : 1))
    yield { row, fields: orderFields(row, items, messageBatches(db, row, readReceipts)) }
  }
}

/** Reads all messages that existed when the export of the order began. */
async function* messageBatches(db: Db | Tx, { id, lastSeq }: OrderTable, receipts: ReadReceipt[]) {
  for (let from = 0; from < lastSeq; from += MESSAGE_BATCH_SIZE) {
    const messages = await db
      .selectFrom('messages')
      .select(['seq', 'id', 'message', 'sender', 'createdAt'])
      .where('orderId', '=', id)
      .where('seq', '>', from)
      .where('seq', '<=', Math.min(from + MESSAGE_BATCH_SIZE, lastSeq))
      .orderBy('seq')
      .execute()
    yield messages.map(({ seq, ...message }) => ({
      ...message,
      read: readersOfMessage({ seq, ...message }, receipts),
    }))
  }
}

/** Returns the ids of the sender and of everyone whose read receipt includes the message. [DATA-038, CHAT-11, CHAT-12] */
export const readersOfMessage = (message: Message, receipts: readonly ReadReceipt[]): string[] => [
  ...new Set([
    message.sender,
    ...receipts.filter((mark) => mark.seq >= message.seq).map((mark) => mark.reader),
  ]),
]

type OrderItemRow = { id: string; name: string; priceCents: number; isSold: 0 | 1 }

/** Returns the fields of an exported order. A closed order has fewer fields. Exported prices are in dollars. [MSG-11, S-079, DATA-018 to DATA-038] */
function orderFields<Messages>(row: OrderTable, items: OrderItemRow[], messages: Messages) {
  const sender = { name: row.userName, email: row.userEmail, photoURL: row.userPhotoURL }
  return {
    id: row.id,
    items: items.map(({ id, name, priceCents, isSold }) => ({
      id,
      name,
      price: priceCents / 100,
      ...(isSold && { isSold: true }),
    })),
    messages,
    user: { ...sender, id: row.id },
    isClosed: row.isClosed === 1,
    createdAt: row.createdAt,
    ...(!row.isClosed && {
      ...(row.receiptTag && { receiptTag: row.receiptTag }),
      fromContactPage: row.fromContactPage === 1,
      ...(row.fromContactPage && sender),
    }),
  }
}
