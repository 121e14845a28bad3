/** Sales, testimony tickets, and the shop's own records: outbox, audit log, settings. */
import { sql, type Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

export const salesAndRecords = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('sales')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('buyerId', 'text', (c) => c.notNull())
      .addColumn('buyerName', 'text', (c) => c.notNull())
      .addColumn('buyerEmail', 'text', (c) => c.notNull())
      .addColumn('buyerPhotoURL', 'text', (c) => c.notNull())
      .addColumn('itemId', 'text', (c) => c.notNull())
      .addColumn('itemName', 'text', (c) => c.notNull())
      .addColumn('itemPriceCents', 'integer')
      .addColumn('salePriceCents', 'integer', (c) => c.notNull().check(sql`"salePriceCents" >= 0`))
      .addColumn('receiptTag', 'text')
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('sales_newest').on('sales').column('createdAt').execute()
    await db.schema.createIndex('sales_receipt').on('sales').column('receiptTag').execute()
    await db.schema.createIndex('sales_item').on('sales').column('itemId').execute()
    await db.schema
      .createTable('testimonies')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('receiptTag', 'text', (c) => c.unique())
      .addColumn('writerId', 'text', (c) => c.notNull())
      .addColumn('writerName', 'text', (c) => c.notNull())
      .addColumn('writerEmail', 'text', (c) => c.notNull())
      .addColumn('writerPhotoURL', 'text', (c) => c.notNull())
      .addColumn('testimony', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('isAvailable', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(1)
          .check(sql`"isAvailable" in (0, 1)`),
      )
      .addColumn('isValidated', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(0)
          .check(sql`"isValidated" in (0, 1)`),
      )
      .addColumn('showOnPage', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(0)
          .check(sql`"showOnPage" in (0, 1)`),
      )
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('testimonies_shown').on('testimonies').columns(['showOnPage', 'createdAt']).execute()
    await db.schema
      .createTable('testimonyItems')
      .addColumn('testimonyId', 'text', (c) => c.notNull().references('testimonies.id').onDelete('cascade'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('itemId', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('priceCents', 'integer')
      .addColumn('salePriceCents', 'integer')
      .addPrimaryKeyConstraint('testimonyItems_pk', ['testimonyId', 'position'])
      .execute()
    await db.schema
      .createTable('outbox')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('toAddress', 'text', (c) => c.notNull())
      .addColumn('replyTo', 'text')
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('nextAttemptAt', 'bigint', (c) => c.notNull())
      .addColumn('sentAt', 'bigint')
      .addColumn('failedAt', 'bigint')
      .addColumn('lastError', 'text')
      .execute()
    await db.schema.createIndex('outbox_waiting').on('outbox').columns(['sentAt', 'failedAt', 'nextAttemptAt']).execute()
    await db.schema
      .createTable('audit')
      .addColumn('seq', dialect === 'postgres' ? sql`bigserial` : 'integer', (c) => c.primaryKey().notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('actor', 'text', (c) => c.notNull())
      .addColumn('act', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('detail', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('settings')
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('updatedAt', 'bigint', (c) => c.notNull())
      .execute()
  },
})
