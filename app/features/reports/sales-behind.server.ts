/** The sales that a number of a report consists of, in pages, the newest first. */
import { sql } from 'kysely'
import { shownName, struckPrice } from '#app/features/sales/receipt.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { readPageNumber } from '#app/platform/page-number.ts'
import { formatDate } from '#app/ui/dates.ts'
import { KINDS, monthName, type Kind } from './report.ts'
import { keyOf, monthRange, nameOf, readYear, salesIn, sums, yearRange } from './reports.server.ts'

const PAGE = 50

/** Of several in one address the first counts; one that no name could be is none. */
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
