import { type Insertable, sql } from 'kysely'
import type { Tables, Tx } from '#db/schema.ts'

const MAX_NUMBER_ATTEMPTS = 100

/** Tries again if another transaction takes the same number first. */
export async function insertWithNextNumber(
  tx: Tx,
  invoice: Omit<Insertable<Tables['invoices']>, 'number'>,
) {
  for (let attempt = 0; attempt < MAX_NUMBER_ATTEMPTS; attempt++) {
    const row = await tx
      .insertInto('invoices')
      .values({
        number: sql<number>`(select coalesce(max(number), 0) + 1 from invoices)`,
        ...invoice,
      })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .returning('number')
      .executeTakeFirst()
    if (row) return row.number
  }
  throw new Error(`no number for the invoice of ${invoice.receiptKey}`)
}
