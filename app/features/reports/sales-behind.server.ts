/** The sales that a number of a report consists of, in pages, the newest first. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Range } from '#app/features/sales/period.ts'
import { shownName, struckPrice } from '#app/features/sales/receipt.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { formatDate } from '#app/ui/dates.ts'
import { monthRange, readYear, yearAt, yearRange } from './report-year.ts'
import { KINDS, monthName, NO_CATEGORY, type Kind } from './report.ts'
import { keyOf, lastCalled, listYears, salesIn, sums } from './reports.server.ts'

const PAGE = 50
type Filter = { kind: Kind; key: string } | null

/** Of several in one address the first counts; one that no name could be is none. */
function readFilter(search: URLSearchParams): Filter {
  const kind = KINDS.find((one) => search.has(one) && isReadable(search.get(one)!))
  return kind ? { kind, key: search.get(kind)! } : null
}

function readMonth(search: URLSearchParams): number | null {
  const month = Number(/^\d{1,2}$/.exec(search.get('month') ?? '')?.[0])
  return month >= 1 && month <= 12 ? month : null
}

/** S-200: from a number to its sales, from a sale to its receipt and its conversation. */
export async function readSalesBehind({ db, timeZone, now }: Shop, address: URL) {
  const search = address.searchParams
  const current = yearAt(now(), timeZone)
  const year = readYear(search, await listYears(db, now(), timeZone), current)
  const [month, filter] = [readMonth(search), readFilter(search)]
  const range = month === null ? yearRange(year, timeZone) : monthRange(year, month, timeZone)
  const sum = await found(db, range, filter).select(sums).executeTakeFirstOrThrow()
  const pages = Math.max(1, Math.ceil(sum.sales / PAGE))
  const page = Math.min(readPageNumber(search), pages)
  const rows = await listPage(db, range, filter, page)
  return {
    year,
    when: month === null ? String(year) : `${monthName(month)} ${year}`,
    what: filter && (await nameOfFilter(db, filter)),
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

function found(db: Db, range: Range, filter: Filter) {
  const all = salesIn(db, range)
  return filter ? all.where(sql<boolean>`${keyOf[filter.kind]} = ${filter.key}`) : all
}

const listPage = (db: Db, range: Range, filter: Filter, page: number) =>
  found(db, range, filter)
    .leftJoin('orders', 'orders.id', 'sales.buyerId')
    .select(['sales.id', 'sales.createdAt', 'itemName', 'buyerName', 'buyerEmail', 'itemPriceCents', 'salePriceCents', 'sales.receiptTag'])
    .select('orders.id as orderId')
    .orderBy('sales.createdAt', 'desc')
    .orderBy('sales.id')
    .limit(PAGE)
    .offset((page - 1) * PAGE)
    .execute()

/** What it is called now, or was called when it was last sold. */
async function nameOfFilter(db: Db, { kind, key }: NonNullable<Filter>): Promise<string> {
  if (kind === 'category' && key === '') return NO_CATEGORY
  const now =
    kind === 'item'
      ? await db.selectFrom('items').select('name').where('id', '=', key).executeTakeFirst()
      : kind === 'category'
        ? await db.selectFrom('categories').select('title as name').where('id', '=', key).executeTakeFirst()
        : null
  if (now?.name) return now.name
  const then = await lastCalled(db, kind, key)
  if (kind === 'buyer') return shownName({ buyerName: '', buyerEmail: '', ...then })
  return (kind === 'item' ? then?.itemName : then?.categoryTitle) || '–'
}

export type SalesBehind = Awaited<ReturnType<typeof readSalesBehind>>
