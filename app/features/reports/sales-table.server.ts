/** Sales and receipts of any days as CSV, written while the browser downloads: formula-safe, with bounded memory (S-201). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/tables.ts'
import { numbersOf } from '#app/features/papers/invoices.server.ts'
import type { Range } from '#app/features/sales/period.ts'
import { groupReceipts } from '#app/features/sales/receipt.ts'
import { readStyle } from '#app/features/tables/item-table.ts'
import { BOM, csvDownload, csvLines } from '#app/features/tables/items-table.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { readDays, type Days } from './report-year.ts'
import { receiptCells, receiptTitles, saleCells, saleTitles, type SaleRow, type Writing } from './sales-table.ts'

/** So many at a time; between two parts others get their turn. */
const PART = 500

const allSales = (db: Db, { from, to }: Range) =>
  db
    .selectFrom('sales')
    .leftJoin('categories', 'categories.id', 'sales.categoryId')
    .selectAll('sales')
    .select(sql<string>`coalesce("categories"."title", "sales"."categoryTitle")`.as('category'))
    .where('sales.createdAt', '>=', from)
    .where('sales.createdAt', '<=', to)

/** The oldest first, as books are kept. A part begins where the last one ended, however many are added meanwhile. */
async function* saleParts(db: Db, range: Range): AsyncGenerator<SaleRow[]> {
  for (let last: SaleRow | undefined; ;) {
    const all = allSales(db, last ? { from: last.createdAt, to: range.to } : range)
    const after = last ? all.where(({ or, eb }) => or([eb('sales.createdAt', '>', last!.createdAt), eb('sales.id', '>', last!.id)])) : all
    const part: SaleRow[] = await after.orderBy('sales.createdAt').orderBy('sales.id').limit(PART).execute()
    if (part.length > 0) yield part
    last = part.at(-1)
    if (part.length < PART) return
    await nextTurn()
  }
}

async function* exportSales(db: Db, range: Range, writing: Writing): AsyncGenerator<string> {
  yield BOM + csvLines([saleTitles], writing.style)
  for await (const part of saleParts(db, range))
    yield csvLines(
      part.map((sale) => saleCells(sale, writing)),
      writing.style,
    )
}

/** "receiptTag" where it has one, else its own id: as `receiptKey`. */
const receiptKeySql = sql<string>`coalesce(nullif("sales"."receiptTag", ''), "sales"."id")`

/** A receipt holds the lines of the chosen days, as on the Sales screen, so that the rows come to the same as the sales. */
async function* exportReceipts(db: Db, range: Range, writing: Writing): AsyncGenerator<string> {
  yield BOM + csvLines([receiptTitles], writing.style)
  // Sorted once, since no index knows this order; the rows themselves are read in parts.
  const keys = await db
    .selectFrom('sales')
    .select(receiptKeySql.as('key'))
    .where('createdAt', '>=', range.from)
    .where('createdAt', '<=', range.to)
    .groupBy('key')
    .orderBy(({ fn }) => fn.max('createdAt'))
    .orderBy('key')
    .execute()
  for (let start = 0; start < keys.length; start += PART) {
    const part = keys.slice(start, start + PART).map(({ key }) => key)
    const rows: SaleRow[] = await allSales(db, range)
      .where(({ or, and, eb }) =>
        or([
          eb('sales.receiptTag', 'in', part),
          and([eb('sales.id', 'in', part), or([eb('sales.receiptTag', 'is', null), eb('sales.receiptTag', '=', '')])]),
        ]),
      )
      .orderBy('sales.createdAt', 'desc')
      .orderBy('sales.id')
      .execute()
    const receipts = new Map(groupReceipts(rows).map((receipt) => [receipt.key, receipt]))
    const numbers = await numbersOf(db, part)
    yield csvLines(
      part.flatMap((key) => {
        const receipt = receipts.get(key)
        return receipt ? [receiptCells(receipt, numbers.get(key) ?? null, writing)] : []
      }),
      writing.style,
    )
    await nextTurn()
  }
}

type Export = (db: Db, range: Range, writing: Writing) => AsyncGenerator<string>

function download(shop: Shop, address: URL, name: string, rows: Export): Response {
  const days = readDays(address.searchParams, shop.timeZone)
  const writing = { style: readStyle(address.searchParams.get('style')), timeZone: shop.timeZone }
  return csvDownload(rows(shop.db, days.range, writing), `${name}${daysText(days)}.csv`)
}

/** "-from-2026-01-01-to-2026-12-31" */
const daysText = ({ first, last }: Days): string => `${first ? `-from-${first}` : ''}${last ? `-to-${last}` : ''}`

export const downloadSales = (shop: Shop, address: URL): Response => download(shop, address, 'sales', exportSales)
export const downloadReceipts = (shop: Shop, address: URL): Response => download(shop, address, 'receipts', exportReceipts)
