/** How often an item was changed by a form or a table: whoever saves an older state is told. Discounts do not count. */
import type { Kysely } from 'kysely'

export const itemRevision = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('items')
      .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()
  },
}
