/**
 * A shop of a million messages answers as one of a hundred: counts, sums and folded texts stand ready (042). Triggers keep them, in the
 * transaction of whatever changes them and whoever writes it, so that none is ever wrong; `fillKept` counts all of them anew.
 */
import { sql, type Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'
import { fillKept, keyOf, makeTriggers } from './029-growth-triggers.ts'

export const growth = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>) {
    // What `instr` is on SQLite; LIKE would compare letter by letter, and take some for wildcards.
    if (dialect === 'postgres')
      await sql`create function instr(words text, word text) returns integer language sql immutable parallel safe
        as 'select strpos(words, word)'`.execute(db)
    await makeTables(db)
    await makeIndexes(db)
    await fillKept(db, dialect)
    await makeTriggers(db, dialect)
  },
})

async function makeTables(db: Kysely<unknown>) {
  await db.schema
    .createTable('unreadCounts')
    .addColumn('orderId', 'text', (c) => c.notNull().references('orders.id').onDelete('cascade'))
    .addColumn('reader', 'text', (c) => c.notNull())
    .addColumn('unread', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('unreadCounts_pk', ['orderId', 'reader'])
    .execute()
  await db.schema.createIndex('unreadCounts_of').on('unreadCounts').columns(['reader', 'unread', 'orderId']).execute()
  // How often a piece was asked for and sold; it may be gone.
  await db.schema
    .createTable('wantedItems')
    .addColumn('itemId', 'text', (c) => c.primaryKey().notNull())
    .addColumn('wanted', 'integer', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('wantedItems_most').on('wantedItems').columns(['wanted desc', 'itemId']).execute()
  const sums = ['sales', 'revenue', 'discounts', 'reduced'] as const
  let days = db.schema.createTable('salesDays').addColumn('day', 'integer', (c) => c.primaryKey().notNull())
  for (const sum of sums) days = days.addColumn(sum, 'bigint', (c) => c.notNull()) as unknown as typeof days
  await days.execute()
  let years = db.schema
    .createTable('salesYears')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('year', 'integer', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
  for (const sum of sums) years = years.addColumn(sum, 'bigint', (c) => c.notNull()) as unknown as typeof years
  await years.addPrimaryKeyConstraint('salesYears_pk', ['kind', 'year', 'key']).execute()
  await db.schema.createIndex('salesYears_best').on('salesYears').columns(['kind', 'year', 'revenue desc', 'sales desc', 'key']).execute()
  await db.schema
    .createTable('requestDays')
    .addColumn('day', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('requests', 'integer', (c) => c.notNull())
    .addColumn('sold', 'integer', (c) => c.notNull())
    .execute()
  // By what acts are found: the same things are changed again and again.
  await db.schema
    .createTable('actNames')
    .addColumn('words', 'text', (c) => c.primaryKey().notNull())
    .execute()
  await db.schema
    .createTable('itemWords')
    .addColumn('itemId', 'text', (c) => c.primaryKey().notNull().references('items.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('words', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('itemWords_name').on('itemWords').columns(['name', 'itemId']).execute()
  await db.schema
    .createTable('orderWords')
    .addColumn('orderId', 'text', (c) => c.primaryKey().notNull().references('orders.id').onDelete('cascade'))
    .addColumn('words', 'text', (c) => c.notNull())
    .execute()
}

/** The price that is shown (money/price-sql.server.ts, letter by letter: an index of an expression is found by it). */
const shownPrice = sql.raw(`(case
  when "discountType" is null then "priceCents"
  when "discountType" = 'amount' and "discountValue" < "priceCents"
    then "priceCents" - "discountValue"
  when "discountType" = 'percent' and "discountValue" < 10000
    then (cast("priceCents" as bigint) * (10000 - "discountValue") + 5000) / 10000
  else 0 end)`)

async function makeIndexes(db: Kysely<unknown>) {
  const { schema } = db
  // Pages of the gallery are found in an index alone, however deep, with the order that all lists have (S-130).
  await schema.dropIndex('items_newest').execute()
  await schema.dropIndex('items_category_newest').execute()
  await schema.createIndex('items_newest').on('items').columns(['createdAt desc', 'id']).execute()
  await schema.createIndex('items_category_newest').on('items').columns(['categoryId', 'createdAt desc', 'id']).execute()
  await schema.createIndex('items_category_first').on('items').columns(['categoryId', 'id']).execute()
  await sql`create index "items_by_price" on "items" (${shownPrice}, "createdAt" desc, "id")`.execute(db)
  await sql`create index "items_on_sale" on "items" ("createdAt" desc, "id") where ${shownPrice} < "priceCents"`.execute(db)
  await schema.createIndex('itemPictures_picture').on('itemPictures').column('pictureId').execute()
  await schema.createIndex('audit_words').on('audit').columns(['words', 'seq']).execute()
  await schema.createIndex('orders_receipt').on('orders').column('receiptTag').execute()
  await schema.createIndex('orderItems_name').on('orderItems').columns(['name', 'orderId']).execute()
  await sql`create index "testimonies_voices" on "testimonies"
    ("isAvailable", "isValidated", coalesce("writtenAt", "createdAt") desc, "id")`.execute(db)
  await schema.createIndex('testimonies_marks').on('testimonies').columns(['isAvailable', 'isValidated', 'showOnPage']).execute()
  // The sales of one category, piece or buyer, newest first.
  for (const [kind, key] of Object.entries(keyOf(null)))
    await sql`create index ${sql.id(`sales_of_${kind}`)} on "sales" ((${sql.raw(key)}), "createdAt")`.execute(db)
}
