/**
 * What one person has bought and written is found by her uid: the account page counts it, and it moves or goes with her (033, 035); and
 * somebody who comes from a provider by what she is called there (032).
 */
import type { Kysely } from 'kysely'

export const byPerson = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('sales_buyer').on('sales').column('buyerId').execute()
    await db.schema.createIndex('testimonies_writer').on('testimonies').column('writerId').execute()
    await db.schema.createIndex('account_identity').on('account').columns(['accountId', 'providerId']).execute()
    await db.schema.createIndex('audit_subject').on('audit').column('subject').execute()
  },
}
