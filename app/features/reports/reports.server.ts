/** The sums of a year's sales: by month, category, item and buyer; and how many requests became sales. */
import { sql } from 'kysely'
import type { Db } from '#db/tables.ts'
import type { Range } from '#app/features/sales/period.ts'
import { shownName } from '#app/features/sales/receipt.ts'
import { bestOfYear, cutDays, lastCalled, sumRanges } from './kept-sums.server.ts'
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

const monthsOf = (year: number, timeZone: string) => MONTHS.map((month) => monthRange(year, month, timeZone))

/** Twelve of them, those without sales too. */
export async function sumMonths(db: Db, year: number, timeZone: string): Promise<MonthSum[]> {
  const found = await sumRanges(db, monthsOf(year, timeZone))
  return MONTHS.map((month, at) => ({ month, ...found[at]! }))
}

/** So many of a kind stand on the page; the others are one line, and all of them are in the CSV. */
const SHOWN = 50

/** S-199: those with the highest revenue, and the rest as one line, together as much as `whole`. */
export async function rankSales(db: Db, kind: Kind, year: number, timeZone: string, whole: Sum): Promise<Ranking> {
  const range = yearRange(year, timeZone)
  const { count, best } = await bestOfYear(db, kind, year, range, SHOWN)
  const now = await namesNow(
    db,
    kind,
    best.map((row) => row.key),
  )
  const nameless = best.filter(({ key }) => !now.get(key)).map(({ key }) => key)
  const called = await lastCalled(db, kind, nameless, range.to)
  const rows = best.map((row): Named => {
    const last = called.get(row.key)
    const then = last && { category: last.categoryTitle, item: last.itemName, buyer: shownName(last) }[kind]
    return { ...row, name: now.get(row.key) || then || (kind === 'category' ? NO_CATEGORY : '–') }
  })
  return rankingOf(rows, count, whole)
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
  const cuts = monthsOf(year, timeZone).map(cutDays)
  const days = await db
    .selectFrom('requestDays')
    .selectAll()
    .where('day', '>=', cuts[0]!.first)
    .where('day', '<=', cuts.at(-1)!.last)
    .execute()
  const edges = cuts.flatMap((cut) => cut.edges)
  const lines = edges.length === 0 ? [] : await readRequests(db, edges)
  return MONTHS.map((month, index) => {
    const { first, last, edges: own } = cuts[index]!
    const all = [
      ...days.filter(({ day }) => day >= first && day <= last),
      ...lines.filter(({ at }) => own.some(({ from, to }) => at >= from && at <= to)),
    ]
    const total = (name: 'requests' | 'sold') => all.reduce((sum, row) => sum + Number(row[name]), 0)
    return { month, requests: total('requests'), sold: total('sold') }
  })
}

const readRequests = (db: Db, edges: readonly Range[]) =>
  db
    .selectFrom('requests')
    .select(['at', sql<number>`1`.as('requests'), sql<number>`case when "saleId" is null then 0 else 1 end`.as('sold')])
    .where((build) => build.or(edges.map(({ from, to }) => build.and([build('at', '>=', from), build('at', '<=', to)]))))
    .execute()

/** When the first request was kept; null before that. */
export async function firstRequestAt(db: Db): Promise<number | null> {
  const first = await db.selectFrom('requests').select('at').orderBy('at').limit(1).executeTakeFirst()
  return first?.at ?? null
}
