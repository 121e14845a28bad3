/** Removes the names of deleted accounts from invoices after the years that the owner has set. */
import { isClockPlausible } from '#auth/guests/delete-guests.server.ts'
import { receiptKeySql } from '#conversation/conversation.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { yearOf, yearRange } from '#sales/period.ts'
import { runEvery } from '#lib/jobs/interval.server.ts'
import type { AppServices } from '#services/context.ts'
import type { Db } from '#db/schema.ts'

/** The buyer id of sales to a deleted account begins with this text. */
export const DELETED_BUYER = 'gone-'
const DAY_MS = 86_400_000

/**
 * Removes name, address and email from the invoices of deleted accounts, after the end of the
 * `invoiceYears`-th year that follows the year of the invoice. With 0, removes all of them. [S-478]
 */
export async function removeExpiredBuyers(
  db: Db,
  { now, timeZone }: Pick<AppServices, 'now' | 'timeZone'>,
) {
  const years = Number((await readSettings(db)).invoiceYears)
  const firstYear = yearOf(now(), timeZone) - years
  const receiptsOfDeleted = db
    .selectFrom('sales')
    .select(receiptKeySql.as('key'))
    .where('buyerId', 'like', `${DELETED_BUYER}%`)
  await db
    .updateTable('invoices')
    .set({ buyerName: '', buyerAddress: '', buyerEmail: '' })
    .where('buyerName', '<>', '')
    .where('receiptKey', 'in', receiptsOfDeleted)
    .$if(years > 0, (query) => query.where('createdAt', '<', yearRange(firstYear, timeZone).from))
    .execute()
}

export const startRemovingExpiredBuyers = (app: AppServices) =>
  runEvery(
    { every: DAY_MS, failure: 'names could not be removed from old invoices', log: app.log },
    async () => (await isClockPlausible(app)) && removeExpiredBuyers(app.db, app),
  )
