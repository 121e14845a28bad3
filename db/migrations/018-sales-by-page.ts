/** The Sales screen reads a page of receipts and the sum of a period, however many there are: both from an index alone. */
import type { Kysely } from 'kysely'

export const salesByPage = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('sales_sums').on('sales').columns(['createdAt', 'salePriceCents']).execute()
    await db.schema.createIndex('sales_lines').on('sales').columns(['receiptTag', 'createdAt', 'id']).execute()
    // Each is the beginning of a new one.
    await db.schema.dropIndex('sales_newest').execute()
    await db.schema.dropIndex('sales_receipt').execute()
  },
}
