/** The owner's list of conversations without looking at each: open orders, unsold pieces, and marks of readers as far as they have read. */
import { sql, type Kysely } from 'kysely'

export const conversationList = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('orders_open').on('orders').columns(['isClosed', 'createdAt']).execute()
    await db.schema.createIndex('orderItems_unsold').on('orderItems').columns(['isSold', 'orderId']).execute()
    // One's own messages after all that one has read are read as well; from now on the mark is moved when they are written.
    await sql`update "readMarks" set seq = (select "lastSeq" from orders where orders.id = "readMarks"."orderId")
      where seq < (select "lastSeq" from orders where orders.id = "readMarks"."orderId")
        and not exists (select 1 from messages where messages."orderId" = "readMarks"."orderId"
          and messages.seq > "readMarks".seq and messages.sender <> "readMarks".reader)`.execute(db)
  },
}
