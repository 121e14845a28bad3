/** The owner's second factor: the authentication library's table and column, and which codes have been used (037). */
import { sql, type Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

export const secondFactor = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>) {
    const bool = dialect === 'postgres' ? sql`boolean` : sql`integer`
    const date = dialect === 'postgres' ? sql`timestamptz` : sql`date`
    await db.schema.alterTable('user').addColumn('twoFactorEnabled', bool).execute()
    await db.schema
      .createTable('twoFactor')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('backupCodes', 'text', (c) => c.notNull())
      .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('verified', bool)
      .addColumn('failedVerificationCount', 'integer')
      .addColumn('lockedUntil', date)
      .execute()
    await db.schema.createIndex('twoFactor_secret_idx').on('twoFactor').column('secret').execute()
    await db.schema.createIndex('twoFactor_userId_idx').on('twoFactor').column('userId').execute()
    // The key refuses the second use of a code, however close together the two come.
    await db.schema
      .createTable('usedCodes')
      .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('code', 'text', (c) => c.notNull())
      .addColumn('usedAt', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('usedCodes_pk', ['userId', 'code'])
      .execute()
  },
})
