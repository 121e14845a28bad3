/** The numbers of the invoices: one for each receipt that was ever printed, in a series without a gap, with the shipping fee that stands on it. */
import type { Kysely } from 'kysely'

export const invoices = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('invoices')
      .addColumn('number', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('receiptKey', 'text', (c) => c.notNull().unique())
      .addColumn('shippingCents', 'bigint', (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .execute()
  },
}
