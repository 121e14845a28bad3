import type { Db, Tx } from '#db/schema.ts'

/** Selects the ids of canceled sales. A canceled sale stays as it is, and a later entry with negative prices cancels it. [S-301] */
export const canceledSaleIds = (db: Db | Tx) =>
  db
    .selectFrom('sales as entry')
    .select('entry.cancels')
    .where('entry.cancels', 'is not', null)
    .$narrowType<{ cancels: string }>()
