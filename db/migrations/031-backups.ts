/** Which backups were begun, and what came of them: of several processes one makes the nightly one (045). */
import type { Kysely } from 'kysely'

export const backups = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('backups')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('startedAt', 'bigint', (c) => c.notNull())
      .addColumn('finishedAt', 'bigint')
      .addColumn('error', 'text')
      .execute()
    await db.schema.createIndex('backups_newest').on('backups').column('startedAt').execute()
  },
}
