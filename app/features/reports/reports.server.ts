import { sql, type AliasedRawBuilder } from 'kysely'
import type { Cents } from '#pricing/money.ts'
import type { Db } from '#db/schema.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { monthRange, type Range, yearOf, yearRange } from '#sales/period.ts'
import { readOpenAmounts } from '#payments/payments.server.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import { buyerDisplayName, originalPrice } from '#sales/receipt.ts'
import type { AppServices } from '#services/context.ts'
import { recordOf } from '#lib/record-of.ts'
import { isStorableText } from '#lib/http/form-data.server.ts'
import { parsePageNumber } from '#lib/http/page-number.ts'
import { formatDate } from '#ui/format-date.ts'
import { KINDS, type Kind, type Sum, reportMonthName, addSums } from './report.ts'
import { reportsTexts } from './texts.ts'

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

const MAX_OPEN = 200

export async function readReportsPage(app: AppServices, address: URL) {
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

export type ReportsPage = Awaited<ReturnType<typeof readReportsPage>>

async function readYear({ db, timeZone, now }: AppServices, search: URLSearchParams) {
  const years = await listYears(db, now(), timeZone)
  const requested = search.get('year')
  return {
    years,
    year: years.find((year) => String(year) === requested) ?? yearOf(now(), timeZone),
  }
}

const readReport = (app: AppServices, year: number) =>
  cached(app, ['sales', 'orders', 'catalog'], `report of ${year} ${app.timeZone}`, () =>
    computeReport(app, year),
  )

async function computeReport({ db, timeZone }: AppServices, year: number) {
  const [sales, shipping, before, requests, since, receipts] = await Promise.all([
    sumMonths(db, year, timeZone),
    sumShipping(db, year, timeZone),
    sumMonths(db, year - 1, timeZone),
    sumOrderRequests(db, year, timeZone),
    db.selectFrom('requests').select('at').orderBy('at').limit(1).executeTakeFirst(),
    countReceipts(db, year, timeZone),
  ])
  const months = sales.map((month, index) => ({ ...month, shipping: shipping[index]! }))
  const total = { ...addSums(months), shipping: shipping.reduce((sum, cents) => sum + cents, 0) }
  const rank = (kind: Kind) => rankSales(db, kind, year, timeZone, total)
  const [category, item, buyer] = await Promise.all([rank('category'), rank('item'), rank('buyer')])
  return {
    months,
    before: addSums(before).entries > 0 ? before.map((month) => month.revenue) : null,
    total,
    receipts,
    rankings: { category, item, buyer },
    requests,
    requestTotals: recordOf(['requests', 'sold'], (name) =>
      requests.reduce((sum, month) => sum + month[name], 0),
    ),
    orderRequestsSince: since ? formatDate(since.at, timeZone) : null,
  }
}

export type Report = Awaited<ReturnType<typeof computeReport>>

const pieces = sql<number>`case when "cancels" is null then "quantity" else -"quantity" end`
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

export const groupingKeys = {
  category: sql<string>`"sales"."categoryId"`,
  item: sql<string>`coalesce(nullif("sales"."itemId", ''), "sales"."itemName")`,
  buyer: sql<string>`coalesce(nullif("sales"."buyerId", ''), nullif("sales"."buyerEmail", ''), "sales"."buyerName")`,
  receipt: sql<string>`coalesce(nullif("sales"."receiptTag", ''), "sales"."id")`,
} satisfies Record<Kind | 'receipt', unknown>

/** Reports add the shipping of an invoice to the first sale of its receipt. */
export const isFirstOfReceipt = sql<boolean>`not exists (
  select 1 from "sales" as "earlier"
  where "earlier"."receiptTag" = "sales"."receiptTag"
    and "earlier"."receiptTag" <> ''
    and ("earlier"."createdAt" < "sales"."createdAt"
      or ("earlier"."createdAt" = "sales"."createdAt" and "earlier"."id" < "sales"."id"))
)`

export const salesIn = (db: Db, { from, to }: Range) =>
  db.selectFrom('sales').where('sales.createdAt', '>=', from).where('sales.createdAt', '<=', to)

export async function listYears(db: Db, now: number, timeZone: string) {
  const years = new Set([yearOf(now, timeZone)])
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { at } = await db
      .selectFrom('sales')
      .select(({ fn }) => fn.min('createdAt').as('at'))
      .where('createdAt', '>', after)
      .executeTakeFirstOrThrow()
    // Without rows, min() returns null, although its type says number.
    if ((at as number | null) === null) break
    const year = yearOf(at, timeZone)
    years.add(year)
    after = Math.max(at, yearRange(year, timeZone).to)
  }
  return [...years].toSorted((left, right) => right - left)
}

export const sumMonths = (db: Db, year: number, timeZone: string) =>
  Promise.all(
    MONTHS.map(async (month) => {
      const sum = await salesIn(db, monthRange(year, month, timeZone))
        .select(sums)
        .executeTakeFirstOrThrow()
      return { month, ...sum }
    }),
  )

export const sumShipping = (db: Db, year: number, timeZone: string): Promise<Cents[]> =>
  Promise.all(
    MONTHS.map(async (month) => {
      const { sum } = await salesIn(db, monthRange(year, month, timeZone))
        .innerJoin('invoices', (join) => join.on('invoices.receiptKey', '=', groupingKeys.receipt))
        .select(({ fn }) => fn.sum<number | string | null>('invoices.shippingCents').as('sum'))
        .where('invoices.shippingCents', '<>', 0)
        .where(isFirstOfReceipt)
        .executeTakeFirstOrThrow()
      return Number(sum ?? 0)
    }),
  )

async function countReceipts(db: Db, year: number, timeZone: string) {
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

const MAX_RANKED = 50

export async function rankSales(db: Db, kind: Kind, year: number, timeZone: string, total: Sum) {
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

async function latestName(db: Db, kind: Kind, key: string, to = Number.MAX_SAFE_INTEGER) {
  if (kind !== 'buyer') {
    const query =
      kind === 'item'
        ? db.selectFrom('items').select('name').where('id', '=', key)
        : db.selectFrom('categories').select('title as name').where('id', '=', key)
    const row = await query.executeTakeFirst()
    if (row?.name) return row.name
  }
  const last = await salesIn(db, { from: Number.MIN_SAFE_INTEGER, to })
    .select(['itemName', 'categoryTitle', 'buyerName', 'buyerEmail'])
    .where(sql<boolean>`${groupingKeys[kind]} = ${key}`)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (kind === 'buyer') return buyerDisplayName({ buyerName: '', buyerEmail: '', ...last })
  return kind === 'item' ? last?.itemName || '–' : last?.categoryTitle || reportsTexts.noCategory
}

/** `sold` counts the requests of a month that became sales in any month. [S-196] */
export const sumOrderRequests = (db: Db, year: number, timeZone: string) =>
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

function parseFilter(search: URLSearchParams) {
  for (const kind of KINDS) {
    const key = search.get(kind)
    if (key !== null && isStorableText(key)) return { kind, key }
  }
  return null
}

function parseMonth(search: URLSearchParams) {
  const month = Number(/^\d{1,2}$/.exec(search.get('month') ?? '')?.[0])
  return month >= 1 && month <= 12 ? month : null
}

export async function readSalesDrilldown(app: AppServices, address: URL) {
  const { db, timeZone } = app
  const search = address.searchParams
  const { year } = await readYear(app, search)
  const month = parseMonth(search)
  const filter = parseFilter(search)
  const range = month === null ? yearRange(year, timeZone) : monthRange(year, month, timeZone)
  const query = filter
    ? salesIn(db, range).where(sql<boolean>`${groupingKeys[filter.kind]} = ${filter.key}`)
    : salesIn(db, range)
  const sum = await cached(app, ['sales'], `sums of ${JSON.stringify([range, filter])}`, () =>
    query.select(sums).executeTakeFirstOrThrow(),
  )
  const pages = Math.max(1, Math.ceil(sum.entries / PAGE_SIZE))
  const page = Math.min(parsePageNumber(search), pages)
  const rows = await query
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

function drilldownPageUrl(search: URLSearchParams, page: number) {
  const next = new URLSearchParams(search)
  next.set('page', String(page))
  return `?${next}`
}

export type SalesDrilldown = Awaited<ReturnType<typeof readSalesDrilldown>>
