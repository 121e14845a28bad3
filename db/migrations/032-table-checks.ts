/** What the checks of uploaded tables found, for an hour each: every process can finish what another one has begun (021, 043). */
import type { Kysely } from 'kysely'

export const tableChecks = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('tableChecks')
      .addColumn('checkId', 'text', (c) => c.notNull())
      .addColumn('part', 'text', (c) => c.notNull())
      .addColumn('page', 'integer', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('tableChecks_pages', ['checkId', 'part', 'page'])
      .execute()
  },
}
