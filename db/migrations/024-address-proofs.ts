/** Letters that prove who reads an address: a forgotten password, a first confirmation, a change. They go with their account. */
import type { Kysely } from 'kysely'

export const addressProofs = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('addressProofs')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('codeMark', 'text', (c) => c.notNull().unique())
      .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('newEmail', 'text')
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('expiresAt', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('addressProofs_user').on('addressProofs').column('userId').execute()
    await db.schema.createIndex('addressProofs_expiry').on('addressProofs').column('expiresAt').execute()
  },
}
