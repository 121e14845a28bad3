/** Whole conversations as documents of section 3 (S-134), one after the other, their messages read a part at a time: none is held as a whole. */
import type { Db, OrderTable, Tx } from '#db/tables.ts'
import type { Parts } from '#app/platform/json-text.ts'
import { messageDocument, orderFields, type MessageDocument } from './order-document.ts'
import type { ReadMark } from './order.ts'

export type StreamedOrder = { row: OrderTable; fields: ReturnType<typeof orderFields<Parts<MessageDocument>>> }

const MESSAGES = 500

/** In the order of `ids`; those that are gone meanwhile are left out. Each must be written before the next is asked for. */
export async function* eachOrder(db: Db | Tx, ids: readonly string[]): AsyncGenerator<StreamedOrder> {
  for (const id of ids) {
    const row = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) continue
    const items = await db
      .selectFrom('orderItems')
      .select(['itemId as id', 'name', 'priceCents', 'isSold'])
      .select('position')
      .where('orderId', '=', id)
      .execute()
    const marks = await db.selectFrom('readMarks').select(['reader', 'seq']).where('orderId', '=', id).execute()
    const order = {
      id,
      user: { name: row.userName, email: row.userEmail, photoURL: row.userPhotoURL, id },
      items: items
        .toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
        .map((item) => ({ id: item.id, name: item.name, priceCents: item.priceCents, isSold: item.isSold === 1 })),
      receiptTag: row.receiptTag,
      isClosed: row.isClosed === 1,
      fromContactPage: row.fromContactPage === 1,
      createdAt: row.createdAt,
    }
    const readMarks = marks.toSorted((a, b) => (a.reader < b.reader ? -1 : 1))
    yield { row, fields: orderFields(order, messagesOf(db, row, readMarks)) }
  }
}

/** Up to the newest of when the conversation was read. */
async function* messagesOf(db: Db | Tx, { id, lastSeq }: OrderTable, marks: ReadMark[]): AsyncGenerator<MessageDocument[]> {
  for (let from = 0; from < lastSeq; from += MESSAGES) {
    const messages = await db
      .selectFrom('messages')
      .select(['seq', 'id', 'message', 'sender', 'createdAt'])
      .where('orderId', '=', id)
      .where('seq', '>', from)
      .where('seq', '<=', Math.min(from + MESSAGES, lastSeq))
      .orderBy('seq')
      .execute()
    yield messages.map((message) => messageDocument(message, marks))
  }
}
