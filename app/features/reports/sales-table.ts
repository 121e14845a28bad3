/** The tables of sales and of receipts: their columns, and how a row is written in them (S-201). */
import { decimalAmount, type Cents } from '#app/features/money/money.ts'
import { nameOf } from '#app/features/orders/order.ts'
import { receiptKey, type Sale } from '#app/features/sales/receipt.ts'
import type { TableStyle } from '#app/features/tables/item-table.ts'

export type SaleRow = Sale & { category: string }
export type ReceiptRow = {
  key: string
  createdAt: number
  buyerId: string
  buyerName: string
  buyerEmail: string
  items: string[]
  /** null where not all original prices are known */
  originalCents: Cents | null
  totalCents: Cents
}

export const saleTitles = [
  ...['date', 'time', 'receipt', 'item', 'category', 'original price', 'sale price', 'discount'],
  ...['buyer', 'e-mail', 'sale id', 'item id', 'buyer id'],
]
export const receiptTitles = [
  'date',
  'time',
  'receipt',
  'buyer',
  'e-mail',
  'pieces',
  'items',
  'original price',
  'discount',
  'total',
  'buyer id',
]

/** `style` decides the decimal sign, `timeZone` the day. */
export type Writing = { style: TableStyle; timeZone: string }

const amount = (cents: Cents | null, style: TableStyle): string =>
  cents === null ? '' : decimalAmount(cents).replace('.', style === 'semicolon' ? ',' : '.')

/** Making one costs as much as writing a hundred rows. */
const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  formats.set(timeZone, made)
  return made
}

/** "2026-03-04", "09:05": what every spreadsheet sorts. */
function moment(at: number, timeZone: string): [date: string, time: string] {
  const [date = '', time = ''] = formatOf(timeZone).format(at).split(' ')
  return [date, time]
}

const lowered = (from: Cents | null, to: Cents): Cents | null => (from === null ? null : Math.max(0, from - to))

export const saleCells = (sale: SaleRow, { style, timeZone }: Writing): string[] => [
  ...moment(sale.createdAt, timeZone),
  receiptKey(sale),
  sale.itemName,
  sale.category,
  amount(sale.itemPriceCents, style),
  amount(sale.salePriceCents, style),
  amount(lowered(sale.itemPriceCents, sale.salePriceCents), style),
  nameOf({ name: sale.buyerName.trim(), email: sale.buyerEmail }),
  sale.buyerEmail,
  sale.id,
  sale.itemId,
  sale.buyerId,
]

/** The lines of one receipt as one row; its date is its newest line's (S-110). */
export function receiptOf(lines: readonly [Sale, ...Sale[]]): ReceiptRow {
  const newest = lines.reduce((one, other) => (other.createdAt > one.createdAt ? other : one))
  const isKnown = lines.every((line) => line.itemPriceCents !== null)
  return {
    key: receiptKey(newest),
    createdAt: newest.createdAt,
    buyerId: newest.buyerId,
    buyerName: newest.buyerName,
    buyerEmail: newest.buyerEmail,
    items: lines.map((line) => line.itemName),
    originalCents: isKnown ? lines.reduce((sum, line) => sum + (line.itemPriceCents ?? 0), 0) : null,
    totalCents: lines.reduce((sum, line) => sum + line.salePriceCents, 0),
  }
}

export const receiptCells = (receipt: ReceiptRow, { style, timeZone }: Writing): string[] => [
  ...moment(receipt.createdAt, timeZone),
  receipt.key,
  nameOf({ name: receipt.buyerName.trim(), email: receipt.buyerEmail }),
  receipt.buyerEmail,
  String(receipt.items.length),
  receipt.items.join('; '),
  amount(receipt.originalCents, style),
  amount(lowered(receipt.originalCents, receipt.totalCents), style),
  amount(receipt.totalCents, style),
  receipt.buyerId,
]
