/** Favourites, conversations with their messages and read marks, and what was ordered in them. */
import { sql, type Kysely } from 'kysely'

export const conversations = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('favourites')
      .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('itemId', 'text', (c) => c.notNull().references('items.id').onDelete('cascade'))
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('favourites_pk', ['userId', 'itemId'])
      .execute()
    await db.schema.createIndex('favourites_item').on('favourites').column('itemId').execute()
    await db.schema
      .createTable('orders')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('userId', 'text', (c) => c.unique().references('user.id').onDelete('set null'))
      .addColumn('userName', 'text', (c) => c.notNull())
      .addColumn('userEmail', 'text', (c) => c.notNull())
      .addColumn('userPhotoURL', 'text', (c) => c.notNull())
      .addColumn('receiptTag', 'text')
      .addColumn('isClosed', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(0)
          .check(sql`"isClosed" in (0, 1)`),
      )
      .addColumn('fromContactPage', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(0)
          .check(sql`"fromContactPage" in (0, 1)`),
      )
      .addColumn('lastSeq', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('firstCreatedAt', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('orders_newest').on('orders').column('createdAt').execute()
    await db.schema
      .createTable('orderItems')
      .addColumn('orderId', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('itemId', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('priceCents', 'integer', (c) => c.notNull())
      .addColumn('isSold', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(0)
          .check(sql`"isSold" in (0, 1)`),
      )
      .addColumn('position', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('orderItems_pk', ['orderId', 'itemId'])
      .execute()
    await db.schema
      .createTable('messages')
      .addColumn('orderId', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('messages_pk', ['orderId', 'seq'])
      .addUniqueConstraint('messages_id_once', ['orderId', 'id'])
      .execute()
    await db.schema
      .createTable('readMarks')
      .addColumn('orderId', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
      .addColumn('reader', 'text', (c) => c.notNull())
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('readMarks_pk', ['orderId', 'reader'])
      .execute()
  },
}
