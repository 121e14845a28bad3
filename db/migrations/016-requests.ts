/**
 * What reports need and nothing else keeps: the category that a sale had (its item may be deleted), and each request with the sale that
 * came of it. Requests of before are known only where they became sales, so none of them is made up.
 */
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

export const requests = {
  async up(db: Kysely<unknown>) {
    for (const column of ['categoryId', 'categoryTitle'])
      await db.schema
        .alterTable('sales')
        .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
        .execute()
    await db.schema
      .createTable('requests')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('orderId', 'text', (c) => c.notNull())
      .addColumn('itemId', 'text', (c) => c.notNull())
      .addColumn('categoryId', 'text', (c) => c.notNull())
      .addColumn('categoryTitle', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('saleId', 'text')
      .execute()
    await db.schema.createIndex('requests_at').on('requests').column('at').execute()
    await db.schema.createIndex('requests_item').on('requests').columns(['orderId', 'itemId', 'at']).execute()
    await nameCategories(db as Kysely<Tables>)
  },
}

/** Sales written before categories were kept, here or in the shop they came from, get that of their item where it is still there. */
export async function nameCategories(db: Kysely<Tables>): Promise<void> {
  await sql`update "sales" set
      "categoryId" = (select "categoryId" from "items" where "items"."id" = "sales"."itemId"),
      "categoryTitle" = coalesce((select "title" from "items" join "categories" on "categories"."id" = "items"."categoryId"
        where "items"."id" = "sales"."itemId"), '')
    where "categoryId" = '' and "itemId" in (select "id" from "items")`.execute(db)
}
