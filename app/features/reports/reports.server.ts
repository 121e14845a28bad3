/** The sums of a year's sales: by month, category, item and buyer; and how many requests became sales. */
import type { Db } from '#db/tables.ts'
import type { Range } from '#app/features/sales/period.ts'
import { shownName } from '#app/features/sales/receipt.ts'
import { keyOf, monthAt, sums } from './report-columns.server.ts'
import { MONTHS, monthRange, yearAt, yearRange } from './report-year.ts'
import { NO_CATEGORY, rankingOf, type Kind, type MonthSum, type Named, type Ranking, type RequestSum, type Sum } from './report.ts'

/** S-198: the current year and all that have sales, the newest first; one step to a year, however many sales it has. */
export async function listYears(db: Db, now: number, timeZone: string): Promise<number[]> {
  const years = new Set([yearAt(now, timeZone)])
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { at } = await db
      .selectFrom('sales')
      .select((is) => is.fn.min('createdAt').as('at'))
      .where('createdAt', '>', after)
      .executeTakeFirstOrThrow()
    // min() of nothing is null, whatever its type says.
    if ((at as number | null) === null) break
    const year = yearAt(at, timeZone)
    years.add(year)
    after = Math.max(at, yearRange(year, timeZone).to)
  }
  const [current, ...others] = years
  return [current!, ...others].toSorted((a, b) => b - a)
}

const within = (db: Db, { from, to }: Range) => db.selectFrom('sales').where('createdAt', '>=', from).where('createdAt', '<=', to)
const startsOf = (year: number, timeZone: string) => MONTHS.map((month) => monthRange(year, month, timeZone).from)

/** Twelve of them, those without sales too. */
export async function sumMonths(db: Db, year: number, timeZone: string): Promise<MonthSum[]> {
  const found = await within(db, yearRange(year, timeZone))
    .select(monthAt('createdAt', startsOf(year, timeZone)).as('month'))
    .select(sums)
    .groupBy('month')
    .execute()
  return MONTHS.map((month) => found.find((row) => row.month === month) ?? { month, sales: 0, revenue: 0, discounts: 0, reduced: 0 })
}

/** So many of a kind stand on the page; the others are one line, and all of them are in the CSV. */
const SHOWN = 50

/** S-199: those with the highest revenue, and the rest as one line, together as much as `whole`. */
export async function rankSales(db: Db, kind: Kind, range: Range, whole: Sum): Promise<Ranking> {
  const found = await within(db, range)
    .select([keyOf[kind].as('key'), ...sums])
    .select((is) => [
      is.fn.max('itemName').as('itemName'),
      is.fn.max('categoryTitle').as('categoryTitle'),
      is.fn.max('buyerName').as('buyerName'),
      is.fn.max('buyerEmail').as('buyerEmail'),
      // Counted before the limit cuts.
      is.fn.countAll<number>().over().as('groups'),
    ])
    .groupBy('key')
    .orderBy('revenue', 'desc')
    .orderBy('sales', 'desc')
    .orderBy('key')
    .limit(SHOWN)
    .execute()
  const now = await namesNow(
    db,
    kind,
    found.map((row) => row.key),
  )
  const rows = found.map((row): Named => {
    const { key, sales, revenue, discounts, reduced } = row
    const then = { category: row.categoryTitle, item: row.itemName, buyer: shownName(row) }
    return { key, name: now.get(key) || then[kind] || (kind === 'category' ? NO_CATEGORY : '–'), sales, revenue, discounts, reduced }
  })
  return rankingOf(rows, found[0]?.groups ?? 0, whole)
}

/** What the pieces and categories are called today, as far as they are still there. */
async function namesNow(db: Db, kind: Kind, ids: string[]): Promise<Map<string, string>> {
  if (kind === 'buyer' || ids.length === 0) return new Map()
  const rows =
    kind === 'item'
      ? await db.selectFrom('items').select(['id', 'name']).where('id', 'in', ids).execute()
      : await db.selectFrom('categories').select(['id', 'title as name']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** S-196: the requests made in each month, and how many of them became sales, whenever that was. */
export async function sumRequests(db: Db, year: number, timeZone: string): Promise<RequestSum[]> {
  const { from, to } = yearRange(year, timeZone)
  const found = await db
    .selectFrom('requests')
    .select(monthAt('at', startsOf(year, timeZone)).as('month'))
    .select((is) => [is.fn.countAll<number>().as('requests'), is.fn.count<number>('saleId').as('sold')])
    .where('at', '>=', from)
    .where('at', '<=', to)
    .groupBy('month')
    .execute()
  return MONTHS.map((month) => found.find((row) => row.month === month) ?? { month, requests: 0, sold: 0 })
}

/** When the first request was kept; null before that. */
export async function firstRequestAt(db: Db): Promise<number | null> {
  const first = await db.selectFrom('requests').select('at').orderBy('at').limit(1).executeTakeFirst()
  return first?.at ?? null
}

/** S-200 */
export const countReceipts = async (db: Db, range: Range): Promise<number> => {
  const { count } = await within(db, range)
    .select((is) =>
      is.fn
        .count<number>(is.fn.coalesce(is.fn<string>('nullif', ['receiptTag', is.val('')]), 'id'))
        .distinct()
        .as('count'),
    )
    .executeTakeFirstOrThrow()
  return count
}
