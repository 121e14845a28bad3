/** The sales that a number of a report consists of, in pages, the newest first. */
import { sql } from 'kysely'
import type { Db } from '#db/tables.ts'
import type { Range } from '#app/features/sales/period.ts'
import { receiptKey, shownName, struckPrice } from '#app/features/sales/receipt.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { formatDate } from '#app/ui/dates.ts'
import { keyOf, sums } from './report-columns.server.ts'
import { sumOfKey, sumRanges } from './kept-sums.server.ts'
import { monthRange, readYear, yearAt, yearRange } from './report-year.ts'
import { KINDS, monthName, NO_CATEGORY, type Kind, type Sum } from './report.ts'
import { listYears } from './reports.server.ts'

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
  const sum = await sumFound(db, filter, { year, month, range })
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

function found(db: Db, { from, to }: Range, filter: Filter) {
  const all = db.selectFrom('sales').where('sales.createdAt', '>=', from).where('sales.createdAt', '<=', to)
  return filter ? all.where(sql<boolean>`${keyOf[filter.kind]} = ${filter.key}`) : all
}

/** A whole year and whatever has no filter is kept; one of a kind in a month is few sales. */
async function sumFound(
  db: Db,
  filter: Filter,
  { year, month, range }: { year: number; month: number | null; range: Range },
): Promise<Sum> {
  if (!filter) return (await sumRanges(db, [range]))[0]!
  if (month === null) return sumOfKey(db, filter.kind, filter.key, year, range)
  return found(db, range, filter).select(sums).executeTakeFirstOrThrow()
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
  const then = await db
    .selectFrom('sales')
    .select(['itemName as item', 'categoryTitle as category', 'buyerName', 'buyerEmail'])
    .where(sql<boolean>`${keyOf[kind]} = ${key}`)
    .orderBy('sales.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (kind === 'buyer') return shownName({ buyerName: then?.buyerName ?? '', buyerEmail: then?.buyerEmail ?? '' })
  return then?.[kind] || '–'
}

export type SalesBehind = Awaited<ReturnType<typeof readSalesBehind>>
