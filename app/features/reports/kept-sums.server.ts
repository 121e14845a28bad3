/** Sums that are kept with each sale (042): by day of UTC, and by year of UTC for each of a kind; what the shop's own time zone cuts is read itself. */
import { sql, type ExpressionBuilder } from 'kysely'
import type { Db, Tables } from '#db/tables.ts'
import type { Range } from '#app/features/sales/period.ts'
import { keyOf, sums } from './report-columns.server.ts'
import { sumOf, type Kind, type Sum } from './report.ts'

const DAY = 86_400_000
type Keyed = Sum & { key: string }
/** Days that lie whole within, counted from 1970, and what is left at both ends. */
type Cut = { first: number; last: number; edges: Range[] }

export function cutDays({ from, to }: Range): Cut {
  const [first, last] = [Math.ceil(from / DAY), Math.floor((to + 1) / DAY) - 1]
  if (first > last) return { first, last, edges: [{ from, to }] }
  const edges = [
    { from, to: first * DAY - 1 },
    { from: (last + 1) * DAY, to },
  ]
  return { first, last, edges: edges.filter((edge) => edge.from <= edge.to) }
}

type InSales = ExpressionBuilder<Tables, 'sales'>
const within = (build: InSales, ranges: readonly Range[]) =>
  build.or(ranges.map(({ from, to }) => build.and([build('sales.createdAt', '>=', from), build('sales.createdAt', '<=', to)])))

/** What each range comes to, in their order: two questions, however many ranges and sales. */
export async function sumRanges(db: Db, ranges: readonly Range[]): Promise<Sum[]> {
  const cuts = ranges.map(cutDays)
  const days = await db
    .selectFrom('salesDays')
    .selectAll()
    .where('day', '>=', Math.min(...cuts.map(({ first }) => first)))
    .where('day', '<=', Math.max(...cuts.map(({ last }) => last)))
    .execute()
  const edges = cuts.flatMap((cut) => cut.edges)
  const lines = edges.length === 0 ? [] : await readLines(db, edges)
  return cuts.map(({ first, last, edges: own }) =>
    sumOf([
      ...days.filter(({ day }) => day >= first && day <= last),
      ...lines.filter(({ at }) => own.some(({ from, to }) => at >= from && at <= to)),
    ]),
  )
}

async function readLines(db: Db, edges: readonly Range[]): Promise<(Sum & { at: number })[]> {
  const rows = await db
    .selectFrom('sales')
    .select(['sales.createdAt', 'itemPriceCents', 'salePriceCents'])
    .where((build) => within(build, edges))
    .execute()
  return rows.map(({ createdAt, itemPriceCents, salePriceCents }) => {
    const discounts = Math.max(0, (itemPriceCents ?? 0) - salePriceCents)
    return { at: createdAt, sales: 1, revenue: salePriceCents, discounts, reduced: Number(discounts > 0) }
  })
}

const utcYear = (year: number): Range => ({ from: Date.UTC(year, 0, 1), to: Date.UTC(year + 1, 0, 1) - 1 })

/** The ranges by which a year of the shop is more than the same year of UTC, and by which it is less. */
function differences(year: number, { from, to }: Range): { more: Range[]; less: Range[] } {
  const utc = utcYear(year)
  const real = (ranges: Range[]) => ranges.filter((range) => range.from <= range.to)
  return {
    more: real([
      { from, to: Math.min(to, utc.from - 1) },
      { from: Math.max(from, utc.to + 1), to },
    ]),
    less: real([
      { from: utc.from, to: Math.min(utc.to, from - 1) },
      { from: Math.max(utc.from, to + 1), to: utc.to },
    ]),
  }
}

/** By how much each of a kind differs: few, since the ranges are some hours long. */
async function corrections(db: Db, kind: Kind | 'receipt', year: number, range: Range): Promise<Map<string, Sum>> {
  const { more, less } = differences(year, range)
  const found = new Map<string, Sum>()
  for (const [ranges, sign] of [
    [more, 1],
    [less, -1],
  ] as const) {
    if (ranges.length === 0) continue
    const rows = await db
      .selectFrom('sales')
      .select([keyOf[kind].as('key'), ...sums])
      .where((build) => within(build, ranges))
      .groupBy('key')
      .execute()
    for (const { key, ...sum } of rows) found.set(key, sumOf([found.get(key) ?? NOTHING, times(sum, sign)]))
  }
  return found
}

const NOTHING: Sum = { sales: 0, revenue: 0, discounts: 0, reduced: 0 }
const times = (sum: Sum, sign: 1 | -1): Sum => ({
  sales: sign * sum.sales,
  revenue: sign * sum.revenue,
  discounts: sign * sum.discounts,
  reduced: sign * sum.reduced,
})

const ofYear = (db: Db, kind: Kind | 'receipt', year: number) =>
  db.selectFrom('salesYears').where('kind', '=', kind).where('year', '=', year)
const COLUMNS = ['key', 'sales', 'revenue', 'discounts', 'reduced'] as const

/** Of one of a kind in a year of the shop. */
export async function sumOfKey(db: Db, kind: Kind, key: string, year: number, range: Range): Promise<Sum> {
  const kept = await ofYear(db, kind, year).select(COLUMNS).where('key', '=', key).executeTakeFirst()
  return sumOf([kept ?? NOTHING, (await corrections(db, kind, year, range)).get(key) ?? NOTHING])
}

/** How many there are of a kind in a year of the shop, and the `most` with the highest revenue. */
export async function bestOfYear(db: Db, kind: Kind, year: number, range: Range, most: number): Promise<{ count: number; best: Keyed[] }> {
  const changes = await corrections(db, kind, year, range)
  const top = await ofYear(db, kind, year)
    .select(COLUMNS)
    .orderBy('revenue', 'desc')
    .orderBy('sales', 'desc')
    .orderBy('key')
    // As many more as could fall behind.
    .limit(most + changes.size)
    .execute()
  const changed = changes.size === 0 ? [] : await readKeys(db, kind, year, [...changes.keys()])
  const rows = new Map([...top, ...changed].map((row) => [row.key, row]))
  for (const [key, change] of changes) rows.set(key, { key, ...sumOf([rows.get(key) ?? NOTHING, change]) })
  const best = [...rows.values()].filter(({ sales }) => sales > 0).toSorted(byRevenue)
  return { count: await countOf(db, kind, year, changes, changed), best: best.slice(0, most) }
}

const byRevenue = (a: Keyed, b: Keyed) => b.revenue - a.revenue || b.sales - a.sales || (a.key < b.key ? -1 : 1)

const readKeys = (db: Db, kind: Kind | 'receipt', year: number, keys: string[]) =>
  ofYear(db, kind, year)
    .select(COLUMNS)
    // One value, however many keys; more than a database takes as values were sold in no night.
    .where('key', 'in', keys)
    .execute()

async function countOf(db: Db, kind: Kind | 'receipt', year: number, changes: Map<string, Sum>, changed: Keyed[]): Promise<number> {
  const { count } = await ofYear(db, kind, year)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const kept = new Map(changed.map((row) => [row.key, row.sales]))
  const steps = [...changes].map(([key, change]) => Number((kept.get(key) ?? 0) + change.sales > 0) - Number(kept.has(key)))
  return Number(count) + steps.reduce((sum, step) => sum + step, 0)
}

/** S-200 */
export async function countReceipts(db: Db, year: number, range: Range): Promise<number> {
  const changes = await corrections(db, 'receipt', year, range)
  const changed = changes.size === 0 ? [] : await readKeys(db, 'receipt', year, [...changes.keys()])
  return countOf(db, 'receipt', year, changes, changed)
}

type Called = { key: string; itemName: string; categoryTitle: string; buyerName: string; buyerEmail: string }

/** What these were called when they were last sold, up to a moment. */
export async function lastCalled(db: Db, kind: Kind, keys: string[], to: number): Promise<Map<string, Called>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('sales')
    .select([keyOf[kind].as('key'), 'itemName', 'categoryTitle', 'buyerName', 'buyerEmail'])
    .where('sales.id', 'in', (eb) =>
      eb
        .selectFrom('salesYears as known')
        .where('known.kind', '=', kind)
        .where('known.key', 'in', keys)
        .select((inner) =>
          inner
            .selectFrom('sales')
            .select('sales.id')
            // Without a type of its own the key is looked up in the index of the expression.
            .where(sql<boolean>`${keyOf[kind]} = "known"."key" || ''`)
            .where('sales.createdAt', '<=', to)
            .orderBy('sales.createdAt', 'desc')
            .limit(1)
            .as('id'),
        ),
    )
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}
