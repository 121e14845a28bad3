/** When a testimony was written: the owner looks at what is new, and a ticket may lie in a drawer for months. */
import { sql, type Kysely } from 'kysely'

export const testimonyWrittenAt = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('testimonies').addColumn('writtenAt', 'bigint').execute()
    await sql`update testimonies set "writtenAt" = "createdAt" where "isAvailable" = 0`.execute(db)
  },
}
