import type { Currency } from '#app/lib/text/currency.ts'
import { decimalAmount, formatMoney, parseMoney, type Cents } from '#app/features/pricing/money.ts'
import { invoiceNumber } from '#app/features/orders/order.ts'
import {
  buyerDisplayName,
  itemWithColor,
  totalCents,
  type Receipt,
} from '#app/features/sales/receipt.ts'
import type { ReceiptPayments } from '#app/features/payments/payment.ts'
import { paymentRows } from '#app/features/payments/payment-rows.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { invoiceTexts as texts } from './texts.ts'

export const PRINT_DOCUMENTS = ['Invoice', 'Thank you card', 'Testimony Ticket'] as const
export type PrintDocument = (typeof PRINT_DOCUMENTS)[number]

/** Returns the documents that the owner can print. She can print a testimony ticket only if the buyer's email address is known and a sale is not canceled. For a cancellation, she can print only the invoice. [SALES-29 to SALES-32, S-114, S-301] */
export function documentsFor({
  buyerEmail,
  cancels,
  items,
}: Pick<Receipt, 'buyerEmail' | 'cancels' | 'items'>): PrintDocument[] {
  const hasTicket = buyerEmail !== '' && items.some(({ isCanceled }) => !isCanceled)
  return PRINT_DOCUMENTS.filter(
    (paper) => paper === 'Invoice' || (!cancels && (paper === 'Thank you card' || hasTicket)),
  )
}

/** PDF files have one of these paper sizes. If the browser prints a page, the printer determines the size. */
export const PAPER_SIZES = ['Letter', 'A4'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

export const defaultPaperSize = (timeZone: string): PaperSize =>
  /^(America|US|Canada|Mexico)\//.test(timeZone) ? 'Letter' : 'A4'

/** The owner addresses an invoice to this name and address. The address may have several lines. */
export type BillTo = { name: string; address: string }

/** An invoice shows these settings of the shop. The shop stores the settings when the invoice gets its number, because a numbered invoice never changes. [S-302] */
const sellerSettings = [
  ...(['name', 'address', 'city', 'taxNumber', 'email', 'phone', 'invoiceFooter'] as const),
  ...(['currencyCode', 'currencySymbol', 'currencyPosition'] as const),
] satisfies (keyof ShopSettings)[]
export type Seller = Pick<ShopSettings, (typeof sellerSettings)[number]>
export const sellerOf = (settings: ShopSettings): Seller =>
  Object.fromEntries(sellerSettings.map((key) => [key, settings[key]])) as Seller

export type NumberedInvoice = {
  number: number
  shippingCents: Cents
  createdAt: number
  billTo: BillTo
  seller: Partial<Seller>
  payments: ReceiptPayments | null
}

/** Returns the typed shipping fee in cents, or null if the text is not an amount. A blank or negative fee counts as 0. [SALES-36 to SALES-40, S-113, S-191] */
export function parseShipping(typed: string): Cents | null {
  const text = typed.trim()
  if (text === '') return 0
  const cents = parseMoney(text.replace(/^-/, ''), Number.MAX_SAFE_INTEGER)
  return text.startsWith('-') && cents !== null ? 0 : cents
}

/** Returns the initial text of the field for the shipping fee: the fee of a numbered invoice, else of the accepted offer, else the usual fee of the shop. */
export const shippingText = (
  invoice: Pick<NumberedInvoice, 'shippingCents'> | null,
  usual: string,
): string =>
  !invoice ? usual : invoice.shippingCents === 0 ? '0' : decimalAmount(invoice.shippingCents)

/** Returns the lines below the shop's name on an invoice. Empty settings have no line. The city has a line only if the shop has no address, because an address contains the city. [OWN-42] */
export function shopLines({
  address,
  city,
  taxNumber,
}: Pick<ShopSettings, 'address' | 'city' | 'taxNumber'>): string[] {
  return [...(address.trim() || city).split('\n'), taxNumber && texts.taxNumber(taxNumber)]
    .map((line) => line.trim())
    .filter(Boolean)
}

export type InvoiceFacts = {
  receipt: Receipt
  billTo: BillTo
  number: number | null
  /** the number of the invoice that this invoice cancels; null if this invoice is no cancellation */
  cancels: number | null
  /** the date on which the invoice got its number, or null if this was today */
  issuedOn: string | null
  today: string
  shipping: Cents
  /** the payments of the accepted offer; null if the receipt belongs to no accepted offer, or if the owner does not use payments */
  payments?: ReceiptPayments | null
  currency: Currency
}

/** Returns the texts of an invoice. On each line, `price` is the original price and `amount` is the sale price. The total includes shipping. [SALES-43 to SALES-51, S-112] */
export function invoiceContent({
  receipt,
  billTo,
  number,
  cancels,
  issuedOn,
  today,
  shipping,
  payments,
  currency,
}: InvoiceFacts) {
  const cents = totalCents([receipt]) + (receipt.cancels ? 0 : shipping)
  const total = formatMoney(cents, currency)
  return {
    title: receipt.cancels ? texts.cancellationTitle : texts.title,
    billTo: {
      name: billTo.name || buyerDisplayName(receipt),
      address: billTo.address,
      email: receipt.buyerEmail,
    },
    facts: [
      [texts.number, number === null ? texts.draft : invoiceNumber(number)],
      [texts.date, today],
      ...(issuedOn === null ? [] : [[texts.firstIssued, issuedOn]]),
      ...(cancels === null ? [] : [[texts.cancels, invoiceNumber(cancels)]]),
      ...(receipt.receiptTag ? [[texts.receipt, receipt.receiptTag]] : []),
    ] as [label: string, value: string][],
    lines: receipt.items.map((item) => ({
      name: itemWithColor(item),
      price: item.price === null ? texts.unknownPrice : formatMoney(item.price, currency),
      amount: formatMoney(item.salePrice, currency),
    })),
    /** the formatted shipping fee, or null for a cancellation, which has no shipping fee */
    shipping: receipt.cancels
      ? null
      : shipping === 0
        ? texts.free
        : formatMoney(shipping, currency),
    total,
    /** the payments in the rows below the total */
    payments: !payments ? [] : paymentRows(payments, cents, currency),
  }
}
