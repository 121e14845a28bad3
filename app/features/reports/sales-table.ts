/** The tables of sales and of receipts: their columns, and how a row is written in them (S-201). */
import type { Cents } from '#app/features/money/money.ts'
import { invoiceNumber } from '#app/features/papers/paper.ts'
import { receiptKey, shownName, totalOf, type Receipt, type Sale } from '#app/features/sales/receipt.ts'
import { amountCell, type TableStyle } from '#app/features/tables/item-table.ts'
import { dayAndTime } from '#app/ui/dates.ts'

export type SaleRow = Sale & { category: string }

export const saleTitles = [
  ...['date', 'time', 'receipt', 'item', 'category', 'original price', 'sale price', 'discount'],
  ...['buyer', 'e-mail', 'sale id', 'item id', 'buyer id'],
]
export const receiptTitles = [
  ...['date', 'time', 'receipt', 'invoice', 'buyer', 'e-mail', 'pieces', 'items'],
  ...['original price', 'discount', 'total', 'buyer id'],
]

/** `style` decides the decimal sign, `timeZone` the day. */
export type Writing = { style: TableStyle; timeZone: string }

/** S-199: null where the original is not known. */
const lowered = (from: Cents | null, to: Cents): Cents | null => (from === null ? null : Math.max(0, from - to))
const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, cents) => sum + cents, 0)

export const saleCells = (sale: SaleRow, { style, timeZone }: Writing): string[] => [
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
export function receiptCells(receipt: Receipt, invoice: number | null, { style, timeZone }: Writing): string[] {
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
