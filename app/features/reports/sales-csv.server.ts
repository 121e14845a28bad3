import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { amountCell, type Cents } from '#pricing/money.ts'
import { canceledInvoices, readInvoices } from '#print-documents/print-documents.server.ts'
import { readPaymentsOfReceipts } from '#payments/payments.server.ts'
import { methodTitle } from '#payments/texts.ts'
import type { Payment } from '#conversation/agreement.ts'
import { startOfDay, type Range } from '#sales/period.ts'
import { invoiceNumber } from '#conversation/invoice-number.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import { paymentMethodName } from '#sales/texts.ts'
import {
  groupReceipts,
  buyerDisplayName,
  totalCents,
  type Receipt,
  type Sale,
} from '#sales/receipt.ts'
import { BOM, type Cell, csvDownload, csvRows } from '#lib/text/csv.server.ts'
import { readStyle, type TableStyle } from '#lib/text/csv.ts'
import type { AppServices } from '#services/context.ts'
import { dayAndTime, isDay } from '#ui/format-date.ts'
import { groupingKeys, isFirstOfReceipt, salesIn } from './reports.server.ts'

type SaleRow = Sale & {
  category: string
  method: string
  quantity: number
  /** The shipping of a numbered invoice, in the row of the receipt's first sale. */
  shippingCents: Cents | null
}

const saleTitles = [
  'date',
  'time',
  'receipt',
  'item',
  'category',
  'original price',
  'sale price',
  'discount',
  'buyer',
  'email',
  'sale id',
  'item id',
  'buyer id',
  'cancels sale id',
  'payment method',
  'pieces',
  'shipping',
]
const receiptTitles = [
  'date',
  'time',
  'receipt',
  'invoice',
  'buyer',
  'email',
  'pieces',
  'items',
  'original price',
  'discount',
  'total',
  'buyer id',
  'cancels invoice',
  'shipping',
  'invoice total',
  'deposit paid on',
  'deposit paid by',
  'balance paid on',
  'balance paid by',
]

type CsvFormat = { style: TableStyle; timeZone: string }

function discountCents(from: Cents | null, to: Cents) {
  if (from === null) return null
  return Math.abs(from) > Math.abs(to) ? from - to : 0
}

const sumCents = (amounts: readonly Cents[]) => amounts.reduce((sum, cents) => sum + cents, 0)

const amount = (cents: Cents | null, style: TableStyle) => ({ number: amountCell(cents, style) })

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
  { number: String(sale.cancels ? -sale.quantity : sale.quantity) },
  amount(sale.shippingCents, style),
]

type Invoices = Awaited<ReturnType<typeof readInvoices>>
type PaidOn = Pick<Payment, 'kind' | 'paidOn' | 'method'>

type ReceiptFacts = {
  receipt: Receipt
  invoice: ReturnType<Invoices['get']>
  /** The number of the canceled invoice. */
  canceled: number | undefined
  shippingCents: Cents | null
  agreementPayments: PaidOn[] | undefined
}

function receiptCells(
  { receipt, invoice, canceled, shippingCents, agreementPayments }: ReceiptFacts,
  { style, timeZone }: CsvFormat,
): Cell[] {
  const total = totalCents([receipt])
  const pieces = receipt.items.reduce((sum, { quantity = 1 }) => sum + quantity, 0)
  const prices = receipt.items.map((item) => item.price).filter((price) => price !== null)
  const discounts = receipt.items
    .map((item) => discountCents(item.price, item.salePrice))
    .filter((discount) => discount !== null)
  return [
    ...dayAndTime(receipt.createdAt, timeZone),
    receipt.key,
    invoice ? invoiceNumber(invoice.number) : '',
    // After the deletion of an account, only the invoice has name and email address.
    invoice?.buyerName || buyerDisplayName(receipt),
    invoice?.buyerEmail || receipt.buyerEmail,
    { number: String(receipt.cancels ? -pieces : pieces) },
    receipt.items
      .map((item) => item.name)
      .toReversed()
      .join('; '),
    amount(prices.length === receipt.items.length ? sumCents(prices) : null, style),
    amount(discounts.length > 0 ? sumCents(discounts) : null, style),
    amount(total, style),
    receipt.buyerid,
    canceled === undefined ? '' : invoiceNumber(canceled),
    amount(shippingCents, style),
    amount(invoice ? total + (shippingCents ?? 0) : null, style),
    ...(receipt.method
      ? ['', '', dayAndTime(receipt.createdAt, timeZone)[0], paymentMethodName(receipt.method)]
      : paymentCells(agreementPayments ?? invoice?.paid ?? [])),
  ]
}

const paymentCells = (payments: readonly PaidOn[]) =>
  (['deposit', 'balance'] as const).flatMap((kind) => {
    const paid = payments.filter((payment) => payment.kind === kind)
    return [
      paid.map(({ paidOn }) => paidOn).join('; '),
      paid.map(({ method }) => methodTitle(method)).join('; '),
    ]
  })

const BATCH_SIZE = 500

const allSales = (db: Db, range: Range) =>
  salesIn(db, range)
    .leftJoin('categories', 'categories.id', 'sales.categoryId')
    .leftJoin('invoices', (join) => join.on('invoices.receiptKey', '=', groupingKeys.receipt))
    .selectAll('sales')
    .select(
      sql<Cents | null>`case when ${isFirstOfReceipt} then "invoices"."shippingCents" end`.as(
        'shippingCents',
      ),
    )
    .select(sql<string>`coalesce("categories"."title", "sales"."categoryTitle")`.as('category'))

async function* exportSales(db: Db, range: Range, format: CsvFormat): AsyncGenerator<string> {
  yield BOM + csvRows([saleTitles], format.style)
  let last: SaleRow | undefined
  for (;;) {
    const { createdAt = range.from, id = '' } = last ?? {}
    const part: SaleRow[] = await allSales(db, { from: createdAt, to: range.to })
      .where(({ or, eb }) => or([eb('sales.createdAt', '>', createdAt), eb('sales.id', '>', id)]))
      .orderBy('sales.createdAt')
      .orderBy('sales.id')
      .limit(BATCH_SIZE)
      .execute()
    yield csvRows(
      part.map((sale) => saleCells(sale, format)),
      format.style,
    )
    if (part.length < BATCH_SIZE) return
    last = part.at(-1)
    await nextTurn()
  }
}

async function* exportReceipts(db: Db, range: Range, format: CsvFormat): AsyncGenerator<string> {
  yield BOM + csvRows([receiptTitles], format.style)
  // No index sorts receipts by their newest sale, so one query reads all keys.
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
    const invoices = await readInvoices(db, part)
    const canceled = await canceledInvoices(db, part)
    const payments = await readPaymentsOfReceipts(db, part)
    const shipping = new Map(
      rows
        .filter(({ shippingCents }) => shippingCents !== null)
        .map((row) => [receiptKey(row), row.shippingCents]),
    )
    yield csvRows(
      part.flatMap((key) => {
        const receipt = receipts.get(key)
        if (!receipt) return []
        const facts = {
          receipt,
          invoice: invoices.get(key),
          canceled: canceled.get(key),
          shippingCents: shipping.get(key) ?? null,
          agreementPayments: payments.get(key),
        }
        return [receiptCells(facts, format)]
      }),
      format.style,
    )
    await nextTurn()
  }
}

function download(app: AppServices, { searchParams }: URL, name: string, rows: typeof exportSales) {
  const { first, last, range } = parseDays(searchParams, app.timeZone)
  const format = { style: readStyle(searchParams.get('style')), timeZone: app.timeZone }
  return csvDownload(
    rows(app.db, range, format),
    `${name}${first ? `-from-${first}` : ''}${last ? `-to-${last}` : ''}.csv`,
  )
}

export const downloadSales = (app: AppServices, address: URL) =>
  download(app, address, 'sales', exportSales)
export const downloadReceipts = (app: AppServices, address: URL) =>
  download(app, address, 'receipts', exportReceipts)

/** The date library would read the year 0026 as 1926. */
const parseDay = (text: string | null) => (text && isDay(text) && text >= '1000' ? text : null)

/** The range includes both days, which may be swapped. A missing day means no limit. [S-201] */
export function parseDays(search: URLSearchParams, timeZone: string) {
  const from = parseDay(search.get('from'))
  const to = parseDay(search.get('to'))
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
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

const MAX_TIME = 8_640_000_000_000_000
