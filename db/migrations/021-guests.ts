/** Which lasting account a guest has proven to be hers, until she says whether her things shall move there; and where idle guests are found. */
import type { Kysely } from 'kysely'

export const guests = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('guestLinks')
      .addColumn('guestId', 'text', (c) => c.primaryKey().notNull().references('user.id').onDelete('cascade'))
      .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('guestLinks_user').on('guestLinks').column('userId').execute()
    await db.schema.createIndex('user_guests').on('user').columns(['isAnonymous', 'createdAt']).execute()
  },
}
