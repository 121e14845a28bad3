/** Up to which message somebody has been told by letter that she has unread ones, and the replies that the owner keeps for later use. */
import type { Kysely } from 'kysely'

export const awareness = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('reminders')
      .addColumn('orderId', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('reader', 'text', (c) => c.notNull())
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('letterId', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('reminders_pk', ['orderId', 'reader'])
      .execute()
    await db.schema.createIndex('reminders_letter').on('reminders').column('letterId').execute()
    await db.schema
      .createTable('savedReplies')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('firstCreatedAt', 'bigint', (c) => c.notNull())
      .execute()
  },
}
