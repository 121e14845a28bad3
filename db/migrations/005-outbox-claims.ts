/** A letter that is being sent is held for a while, so that no second call and no second process sends it too. */
import type { Kysely } from 'kysely'

export const outboxClaims = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('outbox').addColumn('claimedUntil', 'bigint').execute()
  },
}
