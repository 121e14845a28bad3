/** Sales and receipts of any days as CSV, written while the browser downloads: formula-safe, with bounded memory (S-201). */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { amountCell, type Cents } from '#app/features/pricing/money.ts'
import { numbersOf } from '#app/features/print-documents/papers.server.ts'
import { invoiceNumber } from '#app/features/print-documents/paper.ts'
import { startOfDay, type Range } from '#app/features/sales/period.ts'
import { receiptKey } from '#app/features/orders/order.ts'
import { groupReceipts, shownName, totalOf, type Receipt, type Sale } from '#app/features/sales/receipt.ts'
import { BOM, csvDownload, csvLines } from '#app/lib/csv.server.ts'
import { readStyle, type TableStyle } from '#app/lib/csv.ts'
import type { Shop } from '#app/platform/context.ts'
import { dayAndTime, isDay } from '#app/ui/dates.ts'
import { keyOf, salesIn } from './reports.server.ts'

type SaleRow = Sale & { category: string }

const saleTitles = [
  ...['date', 'time', 'receipt', 'item', 'category', 'original price', 'sale price', 'discount'],
  ...['buyer', 'e-mail', 'sale id', 'item id', 'buyer id'],
]
const receiptTitles = [
  ...['date', 'time', 'receipt', 'invoice', 'buyer', 'e-mail', 'pieces', 'items'],
  ...['original price', 'discount', 'total', 'buyer id'],
]

/** `style` decides the decimal sign, `timeZone` the day. */
type Writing = { style: TableStyle; timeZone: string }

/** S-199: null where the original is not known. */
const lowered = (from: Cents | null, to: Cents): Cents | null => (from === null ? null : Math.max(0, from - to))
const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, cents) => sum + cents, 0)

const saleCells = (sale: SaleRow, { style, timeZone }: Writing): string[] => [
  ...dayAndTime(sale.createdAt, timeZone),
  receiptKey(sale),
  sale.itemName,
  sale.category,
  amountCell(sale.itemPriceCents, style),
  amountCell(sale.salePriceCents, style),
  amountCell(lowered(sale.itemPriceCents, sale.salePriceCents), style),
  shownName(sale),
  sale.buyerEmail,
  sale.id,
  sale.itemId,
  sale.buyerId,
]

/** `invoice`: the number that its invoice has, null as long as none was printed (S-190). */
function receiptCells(receipt: Receipt, invoice: number | null, { style, timeZone }: Writing): string[] {
  const prices = receipt.items.map((item) => item.price).filter((price) => price !== null)
  const discounts = receipt.items.map((item) => lowered(item.price, item.salePrice)).filter((discount) => discount !== null)
  return [
    ...dayAndTime(receipt.createdAt, timeZone),
    receipt.key,
    invoice === null ? '' : invoiceNumber(invoice),
    shownName(receipt),
    receipt.buyerEmail,
    String(receipt.items.length),
    // The oldest first, as the rows are.
    receipt.items
      .map((item) => item.name)
      .toReversed()
      .join('; '),
    // Empty where not all of them are known; the discounts are of those that are, so that they come to the same as in the sales.
    amountCell(prices.length === receipt.items.length ? sumOf(prices) : null, style),
    amountCell(discounts.length > 0 ? sumOf(discounts) : null, style),
    amountCell(totalOf([receipt]), style),
    receipt.buyerid,
  ]
}

/** So many at a time; between two parts others get their turn. */
const PART = 500

const allSales = (db: Db, range: Range) =>
  salesIn(db, range)
    .leftJoin('categories', 'categories.id', 'sales.categoryId')
    .selectAll('sales')
    .select(sql<string>`coalesce("categories"."title", "sales"."categoryTitle")`.as('category'))

/** The oldest first, as books are kept. A part begins where the last one ended, however many are added meanwhile. */
async function* exportSales(db: Db, range: Range, writing: Writing): AsyncGenerator<string> {
  yield BOM + csvLines([saleTitles], writing.style)
  for (let last: SaleRow | undefined; ;) {
    const all = allSales(db, last ? { from: last.createdAt, to: range.to } : range)
    const after = last ? all.where(({ or, eb }) => or([eb('sales.createdAt', '>', last!.createdAt), eb('sales.id', '>', last!.id)])) : all
    const part: SaleRow[] = await after.orderBy('sales.createdAt').orderBy('sales.id').limit(PART).execute()
    const lines = part.map((sale) => saleCells(sale, writing))
    yield csvLines(lines, writing.style)
    if (part.length < PART) return
    last = part.at(-1)
    await nextTurn()
  }
}

/** A receipt holds the lines of the chosen days, as on the Sales screen, so that the rows come to the same as the sales. */
async function* exportReceipts(db: Db, range: Range, writing: Writing): AsyncGenerator<string> {
  yield BOM + csvLines([receiptTitles], writing.style)
  // Sorted once, since no index knows this order; the rows themselves are read in parts.
  const keys = await salesIn(db, range)
    .select(keyOf.receipt.as('key'))
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

/** "sales-from-2026-01-01-to-2026-12-31.csv" */
function download(shop: Shop, { searchParams }: URL, name: string, rows: typeof exportSales): Response {
  const { first, last, range } = readDays(searchParams, shop.timeZone)
  const writing = { style: readStyle(searchParams.get('style')), timeZone: shop.timeZone }
  return csvDownload(rows(shop.db, range, writing), `${name}${first ? `-from-${first}` : ''}${last ? `-to-${last}` : ''}.csv`)
}

export const downloadSales = (shop: Shop, address: URL): Response => download(shop, address, 'sales', exportSales)
export const downloadReceipts = (shop: Shop, address: URL): Response => download(shop, address, 'receipts', exportReceipts)

/** '2026-03-04'; null for what is no day. Years before 1000 are left out: the library reads 26 as 1926. */
const readDay = (text: string | null): string | null => (text && isDay(text) && text >= '1000' ? text : null)

/** S-201: the first and the last day of a download, both within; an end that is missing or no day is open, the wrong way round is turned. */
export function readDays(search: URLSearchParams, timeZone: string): { first: string | null; last: string | null; range: Range } {
  const asked = [readDay(search.get('from')), readDay(search.get('to'))]
  const [first = null, last = null] = asked[0] && asked[1] && asked[0] > asked[1] ? asked.toReversed() : asked
  const startOf = (text: string, more: number) => {
    const [year, month, day] = text.split('-').map(Number) as [number, number, number]
    return startOfDay(year, month, day + more, timeZone)
  }
  return { first, last, range: { from: first ? startOf(first, 0) : -LONG, to: last ? startOf(last, 1) - 1 : LONG } }
}

/** Further than any date, and a whole number for every database. */
const LONG = 8_640_000_000_000_000
