/** Exports the sales and the receipts of a period as CSV files. The server streams the files in batches to limit memory. [S-201] */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { amountCell, type Cents } from '#app/features/pricing/money.ts'
import {
  canceledInvoices,
  invoiceNumbers,
} from '#app/features/print-documents/find-invoices.server.ts'
import { startOfDay, type Range } from '#app/features/sales/period.ts'
import { invoiceNumber, receiptKey } from '#app/features/orders/order.ts'
import { paymentMethodName } from '#app/features/sales/payment-method.ts'
import {
  groupReceipts,
  buyerDisplayName,
  totalCents,
  type Receipt,
  type Sale,
} from '#app/features/sales/receipt.ts'
import { BOM, type Cell, csvDownload, csvRows } from '#app/lib/text/csv.server.ts'
import { readStyle, type TableStyle } from '#app/lib/text/csv.ts'
import type { AppServices } from '#app/services/context.ts'
import { dayAndTime, isDay } from '#app/ui/format-date.ts'
import { groupingKeys, salesIn } from './reports.server.ts'

type SaleRow = Sale & { category: string; method: string }

const saleTitles = [
  ...['date', 'time', 'receipt', 'item', 'category', 'original price', 'sale price', 'discount'],
  ...['buyer', 'email', 'sale id', 'item id', 'buyer id', 'cancels sale id', 'payment method'],
]
const receiptTitles = [
  ...['date', 'time', 'receipt', 'invoice', 'buyer', 'email', 'pieces', 'items'],
  ...['original price', 'discount', 'total', 'buyer id', 'cancels invoice'],
]

/** `style` determines the separators of cells and decimals. `timeZone` determines dates and times. */
type CsvFormat = { style: TableStyle; timeZone: string }

/** Returns the discount, or null if the original price is unknown. For a cancellation, the prices and the discount are negative. [S-199] */
const discountCents = (from: Cents | null, to: Cents): Cents | null =>
  from === null ? null : Math.abs(from) > Math.abs(to) ? from - to : 0
const sumCents = (amounts: readonly Cents[]): Cents =>
  amounts.reduce((sum, cents) => sum + cents, 0)

const amount = (cents: Cents | null, style: TableStyle): Cell => ({
  number: amountCell(cents, style),
})

const saleCells = (sale: SaleRow, { style, timeZone }: CsvFormat): Cell[] => [
  ...dayAndTime(sale.createdAt, timeZone),
  receiptKey(sale),
  sale.itemName,
  sale.category,
  amount(sale.itemPriceCents, style),
  amount(sale.salePriceCents, style),
  amount(discountCents(sale.itemPriceCents, sale.salePriceCents), style),
  buyerDisplayName(sale),
  sale.buyerEmail,
  sale.id,
  sale.itemId,
  sale.buyerId,
  sale.cancels ?? '',
  paymentMethodName(sale.method),
]

/** `invoice` is null if the invoice has no number yet. `canceled` is the number of the invoice that this receipt cancels, if any. [S-190] */
function receiptCells(
  receipt: Receipt,
  invoice: number | null,
  canceled: number | null,
  { style, timeZone }: CsvFormat,
): Cell[] {
  const prices = receipt.items.map((item) => item.price).filter((price) => price !== null)
  const discounts = receipt.items
    .map((item) => discountCents(item.price, item.salePrice))
    .filter((discount) => discount !== null)
  return [
    ...dayAndTime(receipt.createdAt, timeZone),
    receipt.key,
    invoice === null ? '' : invoiceNumber(invoice),
    buyerDisplayName(receipt),
    receipt.buyerEmail,
    // The number of pieces is negative if the receipt cancels a sale.
    {
      number: String(
        (receipt.cancels ? -1 : 1) *
          receipt.items.reduce((sum, { quantity = 1 }) => sum + quantity, 0),
      ),
    },
    // The cell lists the items from oldest to newest, like the rows of the file.
    receipt.items
      .map((item) => item.name)
      .toReversed()
      .join('; '),
    // If an original price is unknown, the cell with the sum of original prices is empty. The discount is the sum of the known discounts.
    amount(prices.length === receipt.items.length ? sumCents(prices) : null, style),
    amount(discounts.length > 0 ? sumCents(discounts) : null, style),
    amount(totalCents([receipt]), style),
    receipt.buyerid,
    canceled === null ? '' : invoiceNumber(canceled),
  ]
}

/** The export reads this many database rows at a time. Between two batches, the process handles other HTTP requests. */
const BATCH_SIZE = 500

const allSales = (db: Db, range: Range) =>
  salesIn(db, range)
    .leftJoin('categories', 'categories.id', 'sales.categoryId')
    .selectAll('sales')
    .select(sql<string>`coalesce("categories"."title", "sales"."categoryTitle")`.as('category'))

/** Yields the CSV rows of the sales, from oldest to newest. Each batch starts after the last sale of the previous batch. */
async function* exportSales(db: Db, range: Range, writing: CsvFormat): AsyncGenerator<string> {
  yield BOM + csvRows([saleTitles], writing.style)
  for (let last: SaleRow | undefined; ;) {
    const all = allSales(db, last ? { from: last.createdAt, to: range.to } : range)
    const after = last
      ? all.where(({ or, eb }) =>
          or([eb('sales.createdAt', '>', last!.createdAt), eb('sales.id', '>', last!.id)]),
        )
      : all
    const part: SaleRow[] = await after
      .orderBy('sales.createdAt')
      .orderBy('sales.id')
      .limit(BATCH_SIZE)
      .execute()
    const lines = part.map((sale) => saleCells(sale, writing))
    yield csvRows(lines, writing.style)
    if (part.length < BATCH_SIZE) return
    last = part.at(-1)
    await nextTurn()
  }
}

/** Yields a CSV row for each receipt. As on the Sales screen, a receipt contains only those of its sales that belong to the chosen days. */
async function* exportReceipts(db: Db, range: Range, writing: CsvFormat): AsyncGenerator<string> {
  yield BOM + csvRows([receiptTitles], writing.style)
  // One query reads the keys of all receipts, because no index sorts receipts by their newest sale. The sales are then read in batches.
  const keys = await salesIn(db, range)
    .select(groupingKeys.receipt.as('key'))
    .groupBy('key')
    .orderBy(({ fn }) => fn.max('createdAt'))
    .orderBy('key')
    .execute()
  for (let start = 0; start < keys.length; start += BATCH_SIZE) {
    const part = keys.slice(start, start + BATCH_SIZE).map(({ key }) => key)
    const rows: SaleRow[] = await allSales(db, range)
      .where(({ or, and, eb }) =>
        or([
          eb('sales.receiptTag', 'in', part),
          and([
            eb('sales.id', 'in', part),
            or([eb('sales.receiptTag', 'is', null), eb('sales.receiptTag', '=', '')]),
          ]),
        ]),
      )
      .orderBy('sales.createdAt', 'desc')
      .orderBy('sales.id')
      .execute()
    const receipts = new Map(groupReceipts(rows).map((receipt) => [receipt.key, receipt]))
    const numbers = await invoiceNumbers(db, part)
    const canceled = await canceledInvoices(db, part)
    yield csvRows(
      part.flatMap((key) => {
        const receipt = receipts.get(key)
        return receipt
          ? [receiptCells(receipt, numbers.get(key) ?? null, canceled.get(key) ?? null, writing)]
          : []
      }),
      writing.style,
    )
    await nextTurn()
  }
}

/** Returns the HTTP response with the CSV file. An example of its file name is "sales-from-2026-01-01-to-2026-12-31.csv". */
function download(
  app: AppServices,
  { searchParams }: URL,
  name: string,
  rows: typeof exportSales,
): Response {
  const { first, last, range } = parseDays(searchParams, app.timeZone)
  const writing = { style: readStyle(searchParams.get('style')), timeZone: app.timeZone }
  return csvDownload(
    rows(app.db, range, writing),
    `${name}${first ? `-from-${first}` : ''}${last ? `-to-${last}` : ''}.csv`,
  )
}

export const downloadSales = (app: AppServices, address: URL): Response =>
  download(app, address, 'sales', exportSales)
export const downloadReceipts = (app: AppServices, address: URL): Response =>
  download(app, address, 'receipts', exportReceipts)

/** Returns null if the text is not a day such as '2026-03-04', or has a year before 1000. The date library would read the year 0026 as 1926. */
const parseDay = (text: string | null): string | null =>
  text && isDay(text) && text >= '1000' ? text : null

/** Reads the first and the last day from the URL. The range includes these two days. A missing day means no limit. If the first day is after the last day, the function swaps the two days. [S-201] */
export function parseDays(
  search: URLSearchParams,
  timeZone: string,
): { first: string | null; last: string | null; range: Range } {
  const bounds = [parseDay(search.get('from')), parseDay(search.get('to'))]
  const [first = null, last = null] =
    bounds[0] && bounds[1] && bounds[0] > bounds[1] ? bounds.toReversed() : bounds
  const startOf = (text: string, more: number) => {
    const [year, month, day] = text.split('-').map(Number) as [number, number, number]
    return startOfDay(year, month, day + more, timeZone)
  }
  return {
    first,
    last,
    range: {
      from: first ? startOf(first, 0) : -MAX_TIME,
      to: last ? startOf(last, 1) - 1 : MAX_TIME,
    },
  }
}

/** A JavaScript Date cannot store a later time. */
const MAX_TIME = 8_640_000_000_000_000
