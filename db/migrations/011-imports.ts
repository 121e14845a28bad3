/** Which exports of another shop were imported, and what was found odd in them. */
import type { Kysely } from 'kysely'

export const imports = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('imports')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('digest', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('findings', 'integer', (c) => c.notNull())
      .addColumn('summary', 'text', (c) => c.notNull())
      .addColumn('report', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('imports_digest').on('imports').column('digest').execute()
  },
}
