/** Computes the reports from the stored sales. */
import { TZDate } from '@date-fns/tz'
import { sql, type AliasedRawBuilder, type RawBuilder } from 'kysely'
import type { Db } from '#db/schema.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { periodRange, type Range } from '#app/features/sales/period.ts'
import { readOpenAmounts } from '#app/features/payments/payments.server.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { buyerDisplayName, originalPrice } from '#app/features/sales/receipt.ts'
import type { AppServices } from '#app/services/context.ts'
import { isStorableText } from '#app/lib/http/form-data.server.ts'
import { parsePageNumber } from '#app/lib/http/page-number.ts'
import { formatDate } from '#app/ui/format-date.ts'
import { KINDS, reportMonthName, addSums } from './report.ts'
import { reportsTexts } from './texts.ts'
import type {
  Kind,
  MonthSum,
  Ranking,
  Report,
  ReportsPage,
  OrderRequestSum,
  Sum,
} from './report.ts'

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const

const yearOf = (at: number, timeZone: string): number => new TZDate(at, timeZone).getFullYear()

const monthRange = (year: number, month: number, timeZone: string): Range =>
  periodRange({ year, month, week: 0 }, timeZone)

/** Returns the first and the last millisecond of a year in the given time zone, in UTC. [SALES-15, SALES-16] */
const yearRange = (year: number, timeZone: string): Range => ({
  from: monthRange(year, 1, timeZone).from,
  to: monthRange(year, 12, timeZone).to,
})

/** The reports page lists at most this many open amounts. */
const MAX_OPEN = 200

/** Reads the data of the reports page. If the sales cannot be read, the function logs the error, and the page shows a message. [S-196 to S-200, ERR-05] */
export async function readReportsPage(app: AppServices, address: URL): Promise<ReportsPage> {
  const current = yearOf(app.now(), app.timeZone)
  try {
    const { year, years } = await readYear(app, address.searchParams)
    return {
      year,
      years,
      report: await readReport(app, year),
      openAmounts: await readOpenAmounts(app.db, MAX_OPEN),
    }
  } catch (error) {
    app.log.error('The reports could not be read.', error)
    return { year: current, years: [current], report: null, openAmounts: null }
  }
}

/** Returns all years with sales, and the year from the URL. If the URL has no valid year, returns the current year. [S-198] */
async function readYear(
  { db, timeZone, now }: AppServices,
  search: URLSearchParams,
): Promise<{ year: number; years: number[] }> {
  const years = await listYears(db, now(), timeZone)
  const requested = search.get('year')
  return {
    years,
    year: years.find((year) => String(year) === requested) ?? yearOf(now(), timeZone),
  }
}

/** The cache keeps the report of a year, because the report reads all sales of two years. Names of items and categories are part of it. */
const readReport = (app: AppServices, year: number): Promise<Report> =>
  cached(app, ['sales', 'orders', 'catalog'], `report of ${year} ${app.timeZone}`, () =>
    computeReport(app, year),
  )

async function computeReport({ db, timeZone }: AppServices, year: number): Promise<Report> {
  const [months, before, requests, since, receipts] = await Promise.all([
    sumMonths(db, year, timeZone),
    sumMonths(db, year - 1, timeZone),
    sumOrderRequests(db, year, timeZone),
    db.selectFrom('requests').select('at').orderBy('at').limit(1).executeTakeFirst(),
    countReceipts(db, year, timeZone),
  ])
  const total = addSums(months)
  const ranked = await Promise.all(
    KINDS.map(async (kind) => [kind, await rankSales(db, kind, year, timeZone, total)] as const),
  )
  const totalOf = (name: 'requests' | 'sold') =>
    requests.reduce((sum, month) => sum + month[name], 0)
  return {
    months,
    before: addSums(before).entries > 0 ? before.map((month) => month.revenue) : null,
    total,
    receipts,
    rankings: Object.fromEntries(ranked) as Record<Kind, Ranking>,
    requests,
    requestTotals: { requests: totalOf('requests'), sold: totalOf('sold') },
    orderRequestsSince: since ? formatDate(since.at, timeZone) : null,
  }
}

/** Adds the pieces of each sale, and subtracts the pieces of each entry that cancels a sale. */
const pieces = sql<number>`case when "cancels" is null then "quantity" else -"quantity" end`
/** The comparison ignores the sign, because the prices of a canceling entry are negative. */
const isReduced = sql<boolean>`abs("itemPriceCents") > abs("salePriceCents")`

const sums = [
  sql<number>`count(*)`.as('entries'),
  sql<number>`coalesce(sum(${pieces}), 0)`.as('sales'),
  sql<number>`coalesce(sum("salePriceCents"), 0)`.as('revenue'),
  sql<number>`coalesce(sum(case when ${isReduced} then "itemPriceCents" - "salePriceCents" else 0 end), 0)`.as(
    'discounts',
  ),
  sql<number>`coalesce(sum(case when ${isReduced} then ${pieces} else 0 end), 0)`.as('reduced'),
] satisfies AliasedRawBuilder<number, keyof Sum>[]

/** Sales are grouped by the id of their category, item or buyer. For a sale without an item id, the item's name is used. For a sale without a buyer id, the buyer's email address or name is used. */
export const groupingKeys: Record<Kind | 'receipt', RawBuilder<string>> = {
  category: sql<string>`"sales"."categoryId"`,
  item: sql<string>`coalesce(nullif("sales"."itemId", ''), "sales"."itemName")`,
  buyer: sql<string>`coalesce(nullif("sales"."buyerId", ''), nullif("sales"."buyerEmail", ''), "sales"."buyerName")`,
  receipt: sql<string>`coalesce(nullif("sales"."receiptTag", ''), "sales"."id")`,
}

export const salesIn = (db: Db, { from, to }: Range) =>
  db.selectFrom('sales').where('sales.createdAt', '>=', from).where('sales.createdAt', '<=', to)

/** Lists the current year and all years with sales, newest first, with one query per year. [S-198] */
export async function listYears(db: Db, now: number, timeZone: string): Promise<number[]> {
  const years = new Set([yearOf(now, timeZone)])
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { at } = await db
      .selectFrom('sales')
      .select((is) => is.fn.min('createdAt').as('at'))
      .where('createdAt', '>', after)
      .executeTakeFirstOrThrow()
    // If there are no rows, min() returns null, although its type does not include null.
    if ((at as number | null) === null) break
    const year = yearOf(at, timeZone)
    years.add(year)
    after = Math.max(at, yearRange(year, timeZone).to)
  }
  const [current, ...others] = years
  return [current!, ...others].toSorted((a, b) => b - a)
}

/** Returns the sums of all twelve months, including months in which nothing was sold. */
export const sumMonths = (db: Db, year: number, timeZone: string): Promise<MonthSum[]> =>
  Promise.all(
    MONTHS.map(async (month) => {
      const sum = await salesIn(db, monthRange(year, month, timeZone))
        .select(sums)
        .executeTakeFirstOrThrow()
      return { month, ...sum }
    }),
  )

/** Counts the receipts of a year. A receipt does not count if all its sales were canceled in the same year, because they then add nothing to the revenue. */
async function countReceipts(db: Db, year: number, timeZone: string): Promise<number> {
  const range = yearRange(year, timeZone)
  const canceled = salesIn(db, range)
    .select('cancels')
    .where('cancels', 'is not', null)
    .$narrowType<{ cancels: string }>()
  const { count } = await salesIn(db, range)
    .select(sql<number>`count(distinct ${groupingKeys.receipt})`.as('count'))
    .where('cancels', 'is', null)
    .where('id', 'not in', canceled)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The page shows at most this many categories, items or buyers. */
const MAX_RANKED = 50

/** Returns the categories, items or buyers with the highest revenue, and one row with the sum of all others, which completes `total`. [S-199] */
export async function rankSales(
  db: Db,
  kind: Kind,
  year: number,
  timeZone: string,
  total: Sum,
): Promise<Ranking> {
  const range = yearRange(year, timeZone)
  const best = await salesIn(db, range)
    .select([groupingKeys[kind].as('key'), ...sums, sql<number>`count(*) over ()`.as('count')])
    .groupBy('key')
    .orderBy('revenue', 'desc')
    .orderBy('sales', 'desc')
    .orderBy('key')
    .limit(MAX_RANKED)
    .execute()
  const rows = await Promise.all(
    best.map(async ({ key, sales, revenue }) => ({
      key,
      sales,
      revenue,
      name: await latestName(db, kind, key, range.to),
    })),
  )
  const count = Number(best[0]?.count ?? 0) - rows.length
  const sales = total.sales - rows.reduce((sum, row) => sum + row.sales, 0)
  const revenue = total.revenue - rows.reduce((sum, row) => sum + row.revenue, 0)
  return { rows, others: { count, sales, revenue } }
}

/** Returns the current name of an item or category. For a buyer, a deleted item or a deleted category, returns the name in the last sale until `to`. */
async function latestName(
  db: Db,
  kind: Kind,
  key: string,
  to = Number.MAX_SAFE_INTEGER,
): Promise<string> {
  if (kind !== 'buyer') {
    const named =
      kind === 'item'
        ? db.selectFrom('items').select('name').where('id', '=', key)
        : db.selectFrom('categories').select('title as name').where('id', '=', key)
    const today = await named.executeTakeFirst()
    if (today?.name) return today.name
  }
  const last = await salesIn(db, { from: Number.MIN_SAFE_INTEGER, to })
    .select(['itemName', 'categoryTitle', 'buyerName', 'buyerEmail'])
    .where(sql<boolean>`${groupingKeys[kind]} = ${key}`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (kind === 'buyer') return buyerDisplayName({ buyerName: '', buyerEmail: '', ...last })
  return (
    (kind === 'item' ? last?.itemName : last?.categoryTitle) ||
    (kind === 'item' ? '–' : reportsTexts.noCategory)
  )
}

/** Counts the order requests of each month, and how many of these order requests became sales in that month or later. [S-196] */
export const sumOrderRequests = (
  db: Db,
  year: number,
  timeZone: string,
): Promise<OrderRequestSum[]> =>
  Promise.all(
    MONTHS.map(async (month) => {
      const { from, to } = monthRange(year, month, timeZone)
      const { requests, sold } = await db
        .selectFrom('requests')
        .select(({ fn }) => [
          fn.countAll<number>().as('requests'),
          fn.count<number>('saleId').as('sold'),
        ])
        .where('at', '>=', from)
        .where('at', '<=', to)
        .executeTakeFirstOrThrow()
      return { month, requests: Number(requests), sold: Number(sold) }
    }),
  )

const PAGE_SIZE = 50

/** Reads the category, item or buyer from the URL, or returns null if the URL contains none. */
function parseFilter(search: URLSearchParams): { kind: Kind; key: string } | null {
  const kind = KINDS.find((one) => search.has(one) && isStorableText(search.get(one)!))
  return kind ? { kind, key: search.get(kind)! } : null
}

function parseMonth(search: URLSearchParams): number | null {
  const month = Number(/^\d{1,2}$/.exec(search.get('month') ?? '')?.[0])
  return month >= 1 && month <= 12 ? month : null
}

export async function readSalesDrilldown(app: AppServices, address: URL) {
  const { db, timeZone } = app
  const search = address.searchParams
  const { year } = await readYear(app, search)
  const [month, filter] = [parseMonth(search), parseFilter(search)]
  const range = month === null ? yearRange(year, timeZone) : monthRange(year, month, timeZone)
  const inRange = salesIn(db, range)
  const found = filter
    ? inRange.where(sql<boolean>`${groupingKeys[filter.kind]} = ${filter.key}`)
    : inRange
  // Computing the sums reads every sale of the period, so they are cached. The list below reads only one page.
  const sum = await cached(app, ['sales'], `sums of ${JSON.stringify([range, filter])}`, () =>
    found.select(sums).executeTakeFirstOrThrow(),
  )
  const pages = Math.max(1, Math.ceil(sum.entries / PAGE_SIZE))
  const page = Math.min(parsePageNumber(search), pages)
  const rows = await found
    .leftJoin('orders', 'orders.id', 'sales.buyerId')
    .select([
      'sales.id',
      'sales.createdAt',
      'itemName',
      'buyerName',
      'buyerEmail',
      'itemPriceCents',
      'salePriceCents',
      'sales.receiptTag',
      'sales.cancels',
    ])
    .select('orders.id as orderId')
    .orderBy('sales.createdAt', 'desc')
    .orderBy('sales.id')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute()
  return {
    year,
    when: month === null ? String(year) : `${reportMonthName(month)} ${year}`,
    what: filter && (await latestName(db, filter.kind, filter.key)),
    sum,
    lines: rows.map((row) => ({
      id: row.id,
      date: formatDate(row.createdAt, timeZone),
      itemName: row.itemName,
      isCancellation: row.cancels !== null,
      buyer: buyerDisplayName(row),
      salePriceCents: row.salePriceCents,
      struckCents: originalPrice({ price: row.itemPriceCents, salePrice: row.salePriceCents }),
      receipt: receiptKey(row),
      conversation: row.orderId,
    })),
    newer: page > 1 ? drilldownPageUrl(search, page - 1) : null,
    older: page < pages ? drilldownPageUrl(search, page + 1) : null,
  }
}

function drilldownPageUrl(search: URLSearchParams, page: number): string {
  const next = new URLSearchParams(search)
  next.set('page', String(page))
  return `?${next}`
}

export type SalesDrilldown = Awaited<ReturnType<typeof readSalesDrilldown>>
