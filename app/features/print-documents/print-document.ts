import { decimalAmount, formatMoney, type Cents } from '#app/features/pricing/money.ts'
import { buyerDisplayName, totalCents, type Receipt } from '#app/features/sales/receipt.ts'
import { invoiceTexts as texts } from './texts.ts'

export const PRINT_DOCUMENTS = ['Invoice', 'Thank you card', 'Testimony Ticket'] as const
export type PrintDocument = (typeof PRINT_DOCUMENTS)[number]

/** A ticket is offered only if the buyer's email address is known. [SALES-29 to SALES-32] */
export const documentsFor = (receipt: Pick<Receipt, 'buyerEmail'>): PrintDocument[] =>
  PRINT_DOCUMENTS.filter((paper) => paper !== 'Testimony Ticket' || receipt.buyerEmail !== '')

/** These sizes are for PDF files; for printed pages the printer decides. */
export const PAPER_SIZES = ['Letter', 'A4'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

export const defaultPaperSize = (timeZone: string): PaperSize => (/^(America|US|Canada|Mexico)\//.test(timeZone) ? 'Letter' : 'A4')

export type NumberedInvoice = { number: number; shippingCents: Cents; createdAt: number }

/** "0007" [S-190] */
export const invoiceNumber = (number: number): string => String(number).padStart(4, '0')

/** Turns the typed shipping fee into cents; blank, 0 and negative values are FREE; null: not a number. [SALES-36 to SALES-40, S-113, S-191] */
export function parseShipping(typed: string): Cents | null {
  const text = typed.trim().replace(/^\$\s*/, '')
  // '1,5' contains a decimal comma; '1,000' and '1,000.50' contain thousands separators.
  const plain = /^-?\d+,\d{1,2}$/.test(text)
    ? text.replace(',', '.')
    : /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)
      ? text.replaceAll(',', '')
      : text
  if (plain !== '' && !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i.test(plain)) return null
  // Rounds half up on the text, because 1.005 * 100 is less than 100.5.
  const cents = plain.toLowerCase().includes('e') || plain === '' ? Number(plain) * 100 : Number(`${plain}e2`)
  if (cents <= 0) return 0
  return cents <= Number.MAX_SAFE_INTEGER ? Math.round(cents) : null
}

/** The text that the field shows when the receipt is opened again. */
export const shippingText = (invoice: NumberedInvoice | null): string =>
  !invoice ? '' : invoice.shippingCents === 0 ? '0' : decimalAmount(invoice.shippingCents)

export type InvoiceFacts = {
  receipt: Receipt
  number: number | null
  /** the date of the number, if it was not today */
  issuedOn: string | null
  today: string
  shipping: Cents
}

/** Price is the original price, amount the sale price; totals include shipping. [SALES-43 to SALES-51, S-112] */
export function invoiceContent({ receipt, number, issuedOn, today, shipping }: InvoiceFacts) {
  const total = formatMoney(totalCents([receipt]) + shipping)
  return {
    billTo: { name: buyerDisplayName(receipt), email: receipt.buyerEmail },
    facts: [
      [texts.number, number === null ? texts.draft : invoiceNumber(number)],
      [texts.date, today],
      ...(issuedOn === null ? [] : [[texts.firstIssued, issuedOn]]),
      ...(receipt.receiptTag ? [[texts.receipt, receipt.receiptTag]] : []),
    ] as [label: string, value: string][],
    lines: receipt.items.map((item) => ({
      name: item.name,
      price: item.price === null ? texts.unknownPrice : formatMoney(item.price),
      amount: formatMoney(item.salePrice),
    })),
    shipping: shipping === 0 ? texts.free : formatMoney(shipping),
    total,
  }
}
