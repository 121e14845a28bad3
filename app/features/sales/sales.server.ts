/** Reading sale records: those of a period, and those of one receipt. */
import type { Db, Tx } from '#db/tables.ts'
import { groupReceipts, type Receipt, type Sale } from './receipt.ts'

/** DATA-117 to DATA-119: both ends of the range are within; newest first. */
export const listSales = (db: Db, { from, to }: { from: number; to: number }): Promise<Sale[]> =>
  db
    .selectFrom('sales')
    .selectAll()
    .where('createdAt', '>=', from)
    .where('createdAt', '<=', to)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()

/** The whole purchase, also where a part of it lies beyond the chosen period: what goes into the parcel must be complete. */
export async function findReceipt(db: Db | Tx, key: string): Promise<Receipt | null> {
  const sales = await db
    .selectFrom('sales')
    .selectAll()
    .where((row) =>
      row.or([
        row('receiptTag', '=', key),
        row.and([row('id', '=', key), row.or([row('receiptTag', 'is', null), row('receiptTag', '=', '')])]),
      ]),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return groupReceipts(sales)[0] ?? null
}
