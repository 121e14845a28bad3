/**
 * What the owner's history needs to be read (names to search, one way of naming acts), and what a bulk change of discounts needs to be
 * undone: the change, as long as it can be undone, and what each thing's discount was before it.
 */
import { sql, type Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

export const history = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('audit')
      .addColumn('name', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('audit')
      .addColumn('words', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema.createIndex('audit_act').on('audit').columns(['act', 'seq']).execute()
    await db.schema
      .createTable('discountChanges')
      .addColumn('seq', 'bigint', (c) => c.primaryKey().notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('noun', 'text', (c) => c.notNull())
      .addColumn('discountType', 'text')
      .addColumn('discountValue', 'integer')
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('isOffered', 'integer', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('formerDiscounts')
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('discountType', 'text')
      .addColumn('discountValue', 'integer')
      .addPrimaryKeyConstraint('formerDiscounts_pk', ['seq', 'id'])
      .execute()
    await db.schema.createIndex('formerDiscounts_id').on('formerDiscounts').columns(['id', 'seq']).execute()
    await nameOldActs(db as Kysely<Tables>)
  },
}

/** Acts that had their noun in front of their subject: the new name, and how long the noun was. */
const renamed = {
  'sale-completed': ['complete-sale', 'order:'],
  'ticket-created': ['create-ticket', 'receipt:'],
  'testimony-validate': ['validate-testimony', 'testimony:'],
  'testimony-show': ['show-testimony', 'testimony:'],
  'testimony-hide': ['hide-testimony', 'testimony:'],
} as const

/** Rows written before names were kept get the best name that is known of them. */
export async function nameOldActs(db: Kysely<Tables>): Promise<void> {
  for (const [old, [act, noun]] of Object.entries(renamed))
    await sql`update audit set act = ${act}, subject = substr(subject, cast(${noun.length + 1} as integer))
      where act = ${old} and subject like ${`${noun}%`}`.execute(db)
  for (const { seq, detail } of await db.selectFrom('audit').select(['seq', 'detail']).where('name', '=', '').execute()) {
    const name = nameIn(detail)
    if (name) await db.updateTable('audit').set({ name }).where('seq', '=', seq).execute()
  }
  for (const [table, column] of [
    ['items', 'name'],
    ['colors', 'name'],
    ['categories', 'title'],
    ['orders', 'userName'],
    ['testimonies', 'writerName'],
  ])
    await sql`update audit set name = (select ${sql.ref(column!)} from ${sql.table(table!)} where id = audit.subject)
      where name = '' and subject in (select id from ${sql.table(table!)})`.execute(db)
  await sql`update audit set words = fold(name) where name <> ''`.execute(db)
}

function nameIn(detail: string): string | null {
  try {
    const { name, title, to } = JSON.parse(detail) as Record<string, unknown>
    return [name, title, to].find((word): word is string => typeof word === 'string' && word !== '') ?? null
  } catch {
    return null
  }
}
