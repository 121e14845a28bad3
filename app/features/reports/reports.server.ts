/** The reports of a year, read from the sales themselves (051): sums by month, category, item and buyer, and how many requests became sales. */
import { TZDate } from '@date-fns/tz'
import { sql, type AliasedRawBuilder, type RawBuilder } from 'kysely'
import type { Db } from '#db/schema.ts'
import { periodRange, type Range } from '#app/features/sales/period.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { shownName, struckPrice } from '#app/features/sales/receipt.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { formatDate } from '#app/ui/dates.ts'
import { KINDS, monthName, NO_CATEGORY, sumOf } from './report.ts'
import type { Kind, MonthSum, Ranking, Report, ReportsPage, RequestSum, Sum } from './report.ts'

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const

const yearAt = (at: number, timeZone: string): number => new TZDate(at, timeZone).getFullYear()

const monthRange = (year: number, month: number, timeZone: string): Range => periodRange({ year, month, week: 0 }, timeZone)

/** From the first instant of January to the last millisecond of December, both within (as SALES-15, SALES-16). */
export const yearRange = (year: number, timeZone: string): Range => ({
  from: monthRange(year, 1, timeZone).from,
  to: monthRange(year, 12, timeZone).to,
})

/** S-196 to S-200. ERR-05: what cannot be read is logged, and the page says so. */
export async function readReportsPage(shop: Shop, address: URL): Promise<ReportsPage> {
  const current = yearAt(shop.now(), shop.timeZone)
  try {
    const { year, years } = await readYear(shop, address.searchParams)
    return { year, years, report: await readReport(shop, year) }
  } catch (error) {
    shop.log.error('The reports could not be read.', error)
    return { year: current, years: [current], report: null }
  }
}

/** S-198: the year of an address, and all that there are; what it asks for beyond them reads as the current one. */
async function readYear({ db, timeZone, now }: Shop, search: URLSearchParams): Promise<{ year: number; years: number[] }> {
  const years = await listYears(db, now(), timeZone)
  const asked = search.get('year')
  return { years, year: years.find((year) => String(year) === asked) ?? yearAt(now(), timeZone) }
}

async function readReport({ db, timeZone }: Shop, year: number): Promise<Report> {
  const [months, before, requests, since, receipts] = await Promise.all([
    sumMonths(db, year, timeZone),
    sumMonths(db, year - 1, timeZone),
    sumRequests(db, year, timeZone),
    db.selectFrom('requests').select('at').orderBy('at').limit(1).executeTakeFirst(),
    countReceipts(db, year, timeZone),
  ])
  const whole = sumOf(months)
  const ranked = await Promise.all(KINDS.map(async (kind) => [kind, await rankSales(db, kind, year, timeZone, whole)] as const))
  const total = (name: 'requests' | 'sold') => requests.reduce((sum, month) => sum + month[name], 0)
  return {
    months,
    before: sumOf(before).sales > 0 ? before.map((month) => month.revenue) : null,
    whole,
    receipts,
    rankings: Object.fromEntries(ranked) as Record<Kind, Ranking>,
    requests,
    asked: { requests: total('requests'), sold: total('sold') },
    requestsSince: since ? formatDate(since.at, timeZone) : null,
  }
}

const discount = sql<number>`case when "itemPriceCents" > "salePriceCents" then "itemPriceCents" - "salePriceCents" else 0 end`

const sums = [
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
async function countReceipts(db: Db, year: number, timeZone: string): Promise<number> {
  const { count } = await salesIn(db, yearRange(year, timeZone))
    .select(sql<number>`count(distinct ${keyOf.receipt})`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** So many of a kind stand on the page; the others are one line, and all of them are in the CSV. */
const SHOWN = 50

/** S-199: those with the highest revenue, and the rest as one line, together as much as `whole`, to the cent. */
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
  const rows = await Promise.all(
    best.map(async ({ key, sales, revenue }) => ({ key, sales, revenue, name: await nameOf(db, kind, key, range.to) })),
  )
  const count = Number(best[0]?.count ?? 0) - rows.length
  const sales = whole.sales - rows.reduce((sum, row) => sum + row.sales, 0)
  const revenue = whole.revenue - rows.reduce((sum, row) => sum + row.revenue, 0)
  return { rows, others: { count, sales, revenue } }
}

/** What the thing or the buyer with this key is called today, or was called at its last sale up to a moment. */
async function nameOf(db: Db, kind: Kind, key: string, to = Number.MAX_SAFE_INTEGER): Promise<string> {
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
    .where(sql<boolean>`${keyOf[kind]} = ${key}`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (kind === 'buyer') return shownName({ buyerName: '', buyerEmail: '', ...last })
  return (kind === 'item' ? last?.itemName : last?.categoryTitle) || (kind === 'item' ? '–' : NO_CATEGORY)
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

const PAGE = 50

/** Of several values in the address the first counts; a value that cannot be a name is ignored. */
function readFilter(search: URLSearchParams): { kind: Kind; key: string } | null {
  const kind = KINDS.find((one) => search.has(one) && isReadable(search.get(one)!))
  return kind ? { kind, key: search.get(kind)! } : null
}

function readMonth(search: URLSearchParams): number | null {
  const month = Number(/^\d{1,2}$/.exec(search.get('month') ?? '')?.[0])
  return month >= 1 && month <= 12 ? month : null
}

/** S-200: from a number to its sales, from a sale to its receipt and its conversation. */
export async function readSalesBehind(shop: Shop, address: URL) {
  const { db, timeZone } = shop
  const search = address.searchParams
  const { year } = await readYear(shop, search)
  const [month, filter] = [readMonth(search), readFilter(search)]
  const range = month === null ? yearRange(year, timeZone) : monthRange(year, month, timeZone)
  const inRange = salesIn(db, range)
  const found = filter ? inRange.where(sql<boolean>`${keyOf[filter.kind]} = ${filter.key}`) : inRange
  const sum = await found.select(sums).executeTakeFirstOrThrow()
  const pages = Math.max(1, Math.ceil(sum.sales / PAGE))
  const page = Math.min(readPageNumber(search), pages)
  const rows = await found
    .leftJoin('orders', 'orders.id', 'sales.buyerId')
    .select(['sales.id', 'sales.createdAt', 'itemName', 'buyerName', 'buyerEmail', 'itemPriceCents', 'salePriceCents', 'sales.receiptTag'])
    .select('orders.id as orderId')
    .orderBy('sales.createdAt', 'desc')
    .orderBy('sales.id')
    .limit(PAGE)
    .offset((page - 1) * PAGE)
    .execute()
  return {
    year,
    when: month === null ? String(year) : `${monthName(month)} ${year}`,
    what: filter && (await nameOf(db, filter.kind, filter.key)),
    sum,
    lines: rows.map((row) => ({
      id: row.id,
      date: formatDate(row.createdAt, timeZone),
      itemName: row.itemName,
      buyer: shownName(row),
      salePriceCents: row.salePriceCents,
      struckCents: struckPrice({ price: row.itemPriceCents, salePrice: row.salePriceCents }),
      receipt: receiptKey(row),
      conversation: row.orderId,
    })),
    newer: page > 1 ? addressOf(search, page - 1) : null,
    older: page < pages ? addressOf(search, page + 1) : null,
  }
}

function addressOf(search: URLSearchParams, page: number): string {
  const next = new URLSearchParams(search)
  next.set('page', String(page))
  return `?${next}`
}

export type SalesBehind = Awaited<ReturnType<typeof readSalesBehind>>
