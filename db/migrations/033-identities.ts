/**
 * Of what somebody is called at a provider there is one account: two first visits at once could write it twice (032). What is written twice
 * says the same; the first stays, and with it the account that has been found by it.
 */
import { sql, type Kysely } from 'kysely'

export const identities = {
  async up(db: Kysely<unknown>) {
    await sql`delete from account where exists (
      select 1 from account as earlier
      where earlier."accountId" = account."accountId" and earlier."providerId" = account."providerId"
        and (earlier."createdAt" < account."createdAt" or (earlier."createdAt" = account."createdAt" and earlier.id < account.id))
    )`.execute(db)
    await db.schema.dropIndex('account_identity').execute()
    await db.schema.createIndex('account_identity').on('account').columns(['accountId', 'providerId']).unique().execute()
  },
}
