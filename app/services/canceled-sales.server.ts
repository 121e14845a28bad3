import type { Db, Tx } from '#db/schema.ts'

export const canceledSaleIds = (db: Db | Tx) =>
  db
    .selectFrom('sales as entry')
    .select('entry.cancels')
    .where('entry.cancels', 'is not', null)
    .$narrowType<{ cancels: string }>()
