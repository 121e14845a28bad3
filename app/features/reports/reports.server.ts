/** The reports of a year, read from the sales themselves (051): sums by month, category, item and buyer, and how many requests became sales. */
import { sql, type AliasedRawBuilder, type RawBuilder } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Range } from '#app/features/sales/period.ts'
import { shownName } from '#app/features/sales/receipt.ts'
import type { Shop } from '#app/platform/context.ts'
import { formatDate } from '#app/ui/dates.ts'
import { MONTHS, monthRange, readYear, yearAt, yearRange } from './report-year.ts'
import {
  KINDS,
  NO_CATEGORY,
  rankingOf,
  sumOf,
  type Kind,
  type MonthSum,
  type Named,
  type Ranking,
  type ReportsPage,
  type RequestSum,
  type Sum,
} from './report.ts'

/** S-196 to S-200. ERR-05: what cannot be read is logged, and the page says so. */
export async function readReportsPage(shop: Shop, address: URL): Promise<ReportsPage> {
  const current = yearAt(shop.now(), shop.timeZone)
  const page = await readReports(shop, address.searchParams, current).catch((error: unknown) => {
    shop.log.error('The reports could not be read.', error)
    return null
  })
  return { year: current, years: [current], ...page, report: page?.report ?? null }
}

async function readReports({ db, timeZone, now }: Shop, search: URLSearchParams, current: number) {
  const years = await listYears(db, now(), timeZone)
  const year = readYear(search, years, current)
  const [months, before, requests, since, receipts] = await Promise.all([
    sumMonths(db, year, timeZone),
    sumMonths(db, year - 1, timeZone),
    sumRequests(db, year, timeZone),
    firstRequestAt(db),
    countReceipts(db, year, timeZone),
  ])
  const whole = sumOf(months)
  const rankings = Object.fromEntries(
    await Promise.all(KINDS.map(async (kind) => [kind, await rankSales(db, kind, year, timeZone, whole)] as const)),
  ) as Record<Kind, Ranking>
  const total = (name: 'requests' | 'sold') => requests.reduce((sum, month) => sum + month[name], 0)
  const asked = { requests: total('requests'), sold: total('sold') }
  const report = {
    months,
    before: sumOf(before).sales > 0 ? before.map((month) => month.revenue) : null,
    whole,
    receipts,
    rankings,
    requests,
    asked,
    requestsSince: since === null ? null : formatDate(since, timeZone),
  }
  return { year, years, report }
}

const discount = sql<number>`case when "itemPriceCents" > "salePriceCents" then "itemPriceCents" - "salePriceCents" else 0 end`

export const sums = [
  sql<number>`count(*)`.as('sales'),
  sql<number>`coalesce(sum("salePriceCents"), 0)`.as('revenue'),
  sql<number>`coalesce(sum(${discount}), 0)`.as('discounts'),
  sql<number>`coalesce(sum(case when "itemPriceCents" > "salePriceCents" then 1 else 0 end), 0)`.as('reduced'),
] satisfies AliasedRawBuilder<number, keyof Sum>[]

/** By what sales belong together: by id, and where an old record has none by what it was called. */
export const keyOf: Record<Kind | 'receipt', RawBuilder<string>> = {
  category: sql<string>`"sales"."categoryId"`,
  item: sql<string>`coalesce(nullif("sales"."itemId", ''), "sales"."itemName")`,
  buyer: sql<string>`coalesce(nullif("sales"."buyerId", ''), nullif("sales"."buyerEmail", ''), "sales"."buyerName")`,
  receipt: sql<string>`coalesce(nullif("sales"."receiptTag", ''), "sales"."id")`,
}

export const salesIn = (db: Db, { from, to }: Range) =>
  db.selectFrom('sales').where('sales.createdAt', '>=', from).where('sales.createdAt', '<=', to)

/** What the thing or the buyer with this key was called at its last sale, up to a moment. */
export const lastCalled = (db: Db, kind: Kind, key: string, to = Number.MAX_SAFE_INTEGER) =>
  db
    .selectFrom('sales')
    .select(['itemName', 'categoryTitle', 'buyerName', 'buyerEmail'])
    .where(sql<boolean>`${keyOf[kind]} = ${key}`)
    .where('createdAt', '<=', to)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

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

/** Twelve of them, those without sales too. */
export const sumMonths = (db: Db, year: number, timeZone: string): Promise<MonthSum[]> =>
  Promise.all(
    MONTHS.map(async (month) => {
      const sum = await salesIn(db, monthRange(year, month, timeZone))
        .select(sums)
        .executeTakeFirstOrThrow()
      return { month, ...sum }
    }),
  )

/** S-200 */
export async function countReceipts(db: Db, year: number, timeZone: string): Promise<number> {
  const { count } = await salesIn(db, yearRange(year, timeZone))
    .select(sql<number>`count(distinct ${keyOf.receipt})`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** So many of a kind stand on the page; the others are one line, and all of them are in the CSV. */
const SHOWN = 50

/** S-199: those with the highest revenue, and the rest as one line, together as much as `whole`. */
export async function rankSales(db: Db, kind: Kind, year: number, timeZone: string, whole: Sum): Promise<Ranking> {
  const range = yearRange(year, timeZone)
  const best = await salesIn(db, range)
    .select([keyOf[kind].as('key'), ...sums, sql<number>`count(*) over ()`.as('count')])
    .groupBy('key')
    .orderBy('revenue', 'desc')
    .orderBy('sales', 'desc')
    .orderBy('key')
    .limit(SHOWN)
    .execute()
  const keys = best.map(({ key }) => key)
  const now = await namesNow(db, kind, keys)
  const nameThen = async (key: string) => {
    const last = await lastCalled(db, kind, key, range.to)
    return last && { category: last.categoryTitle, item: last.itemName, buyer: shownName(last) }[kind]
  }
  const rows = await Promise.all(
    best.map(async ({ key, sales, revenue, discounts, reduced }): Promise<Named> => {
      const name = now.get(key) || (await nameThen(key)) || (kind === 'category' ? NO_CATEGORY : '–')
      return { key, sales, revenue, discounts, reduced, name }
    }),
  )
  return rankingOf(rows, Number(best[0]?.count ?? 0), whole)
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
export const sumRequests = (db: Db, year: number, timeZone: string): Promise<RequestSum[]> =>
  Promise.all(
    MONTHS.map(async (month) => {
      const { from, to } = monthRange(year, month, timeZone)
      const { requests, sold } = await db
        .selectFrom('requests')
        .select(({ fn }) => [fn.countAll<number>().as('requests'), fn.count<number>('saleId').as('sold')])
        .where('at', '>=', from)
        .where('at', '<=', to)
        .executeTakeFirstOrThrow()
      return { month, requests: Number(requests), sold: Number(sold) }
    }),
  )

/** When the first request was kept; null before that. */
export async function firstRequestAt(db: Db): Promise<number | null> {
  const first = await db.selectFrom('requests').select('at').orderBy('at').limit(1).executeTakeFirst()
  return first?.at ?? null
}
