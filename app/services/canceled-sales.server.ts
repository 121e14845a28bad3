import type { Db } from '#db/schema.ts'

export const canceledSaleIds = (db: Db) =>
  db
    .selectFrom('sales as entry')
    .select('entry.cancels')
    .where('entry.cancels', 'is not', null)
    .$narrowType<{ cancels: string }>()
