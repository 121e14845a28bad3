/** Reading sale records: the receipts of a period, a page at a time, what they come to, and one receipt whole. */
import type { Db, Tx } from '#db/schema.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { Range } from './period.ts'
import { groupReceipts, type Receipt, type Sale } from './receipt.ts'

/** Where a page of receipts ends: the newest line of its last receipt. */
export type Place = { createdAt: number; id: string }

export const RECEIPTS_PER_PAGE = 50

const salesIn = (db: Db | Tx, { from, to }: Range) =>
  db.selectFrom('sales as s').where('s.createdAt', '>=', from).where('s.createdAt', '<=', to)

/**
 * DATA-117 to DATA-119, SALES-17, S-187: the receipts of a period, newest first. A receipt stands where its newest line of the period does, and
 * only there. Followed line by line along the index, so that a page costs what it shows.
 */
export async function listReceipts(
  db: Db | Tx,
  range: Range,
  before: Place | null = null,
): Promise<{ receipts: Receipt[]; older: Place | null }> {
  const newest = await salesIn(db, before ? { ...range, to: Math.min(range.to, before.createdAt) } : range)
    .select(['s.id', 's.receiptTag', 's.createdAt'])
    .$if(before !== null, (query) =>
      query.where((row) => row.or([row('s.createdAt', '<', before!.createdAt), row('s.id', '>', before!.id)])),
    )
    .where(({ not, exists, selectFrom }) => {
      const others = selectFrom('sales as n').select('n.id').whereRef('n.receiptTag', '=', 's.receiptTag').where('n.receiptTag', '!=', '')
      const newer = others.whereRef('n.createdAt', '>', 's.createdAt').where('n.createdAt', '<=', range.to)
      return not(exists(newer))
    })
    .where(({ not, exists, selectFrom }) => {
      const others = selectFrom('sales as n').select('n.id').whereRef('n.receiptTag', '=', 's.receiptTag').where('n.receiptTag', '!=', '')
      return not(exists(others.whereRef('n.createdAt', '=', 's.createdAt').whereRef('n.id', '<', 's.id')))
    })
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .limit(RECEIPTS_PER_PAGE + 1)
    .execute()
  const shown = newest.slice(0, RECEIPTS_PER_PAGE)
  const { createdAt, id } = shown.at(-1) ?? { createdAt: 0, id: '' }
  const lines = await linesOf(db, range, shown)
  return { receipts: groupReceipts(lines), older: newest.length > shown.length ? { createdAt, id } : null }
}

async function linesOf(db: Db | Tx, range: Range, shown: Pick<Sale, 'id' | 'receiptTag'>[]): Promise<Sale[]> {
  if (shown.length === 0) return []
  const tags = shown.flatMap(({ receiptTag }) => receiptTag || [])
  const loose = shown.filter(({ receiptTag }) => !receiptTag).map(({ id }) => id)
  return salesIn(db, range)
    .selectAll()
    .where((row) =>
      row.or([...(tags.length > 0 ? [row('s.receiptTag', 'in', tags)] : []), ...(loose.length > 0 ? [row('s.id', 'in', loose)] : [])]),
    )
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute()
}

/** SALES-25: of the whole period, whichever page is shown. */
export async function sumSales(db: Db | Tx, range: Range): Promise<Cents> {
  const { sum } = await salesIn(db, range)
    .select((eb) => eb.fn.sum<number | string | null>('s.salePriceCents').as('sum'))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

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
