import { decimalAmount, formatMoney, type Cents } from '#pricing/money.ts'
import type { Currency } from '#lib/text/currency.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { invoiceNumber } from '#conversation/invoice-number.ts'
import { buyerDisplayName, itemWithColor, totalCents, type Receipt } from '#sales/receipt.ts'
import { paymentRows } from '#payments/payment-rows.ts'
import { recordOf } from '#lib/record-of.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import type { PrintData } from './print-documents.server.ts'
import { invoiceTexts as texts } from './texts.ts'

export const PRINT_DOCUMENTS = ['Invoice', 'Thank you card', 'Testimony Ticket'] as const
export type PrintDocument = (typeof PRINT_DOCUMENTS)[number]

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

export const PAPER_SIZES = ['Letter', 'A4'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

export const defaultPaperSize = (timeZone: string): PaperSize =>
  /^(America|US|Canada|Mexico)\//.test(timeZone) ? 'Letter' : 'A4'

export type BillTo = { name: string; address: string }

const sellerSettings = [
  'name',
  'address',
  'city',
  'taxNumber',
  'email',
  'phone',
  'invoiceFooter',
  'currencyCode',
  'currencySymbol',
  'currencyPosition',
] as const satisfies (keyof ShopSettings)[]
export type Seller = Pick<ShopSettings, (typeof sellerSettings)[number]>
export const sellerOf = (settings: ShopSettings) =>
  recordOf(sellerSettings, (key) => settings[key]) as Seller

export function parseShipping(typed: string): Cents | null {
  const text = typed.trim()
  if (text === '') return 0
  const cents = parseMoney(text.replace(/^-/, ''), Number.MAX_SAFE_INTEGER)
  return text.startsWith('-') && cents !== null ? 0 : cents
}

export function shippingText(invoice: { shippingCents: Cents } | null, usual: string) {
  if (!invoice) return usual
  return invoice.shippingCents === 0 ? '0' : decimalAmount(invoice.shippingCents)
}

/** The city follows an address that does not contain the city. [OWN-42] */
export const shopLines = ({
  address,
  city,
  taxNumber,
}: Pick<ShopSettings, 'address' | 'city' | 'taxNumber'>) =>
  [
    ...address.split('\n'),
    containsWords(address, city) ? '' : city,
    taxNumber && texts.taxNumber(taxNumber),
  ]
    .map((line) => line.trim())
    .filter(Boolean)

const containsWords = (text: string, words: string) =>
  text.toLowerCase().includes(words.trim().toLowerCase())

export type InvoiceFacts = Pick<
  PrintData,
  'receipt' | 'billTo' | 'email' | 'number' | 'cancels' | 'issuedOn' | 'today' | 'currency'
> & { shipping: Cents; payments?: PrintData['payments'] }

/**
 * In a line, `amount` is the sale price and `price` the original price. A higher sale price is also
 * the `price`, because the invoice would otherwise show a surcharge. [S-112]
 */
export function invoiceContent({
  receipt,
  billTo,
  email,
  number,
  cancels,
  issuedOn,
  today,
  shipping,
  payments,
  currency,
}: InvoiceFacts) {
  const cents = totalCents([receipt]) + (receipt.cancels ? 0 : shipping)
  const fee = shipping === 0 ? texts.free : formatMoney(shipping, currency)
  const facts: [label: string, value: string | null][] = [
    [texts.number, number === null ? texts.draft : invoiceNumber(number)],
    [texts.date, today],
    [texts.firstIssued, issuedOn],
    [texts.cancels, cancels === null ? null : invoiceNumber(cancels)],
    [texts.receipt, receipt.receiptTag || null],
  ]
  return {
    title: receipt.cancels ? texts.cancellationTitle : texts.title,
    billTo: {
      name: billTo.name || buyerDisplayName(receipt),
      address: billTo.address,
      email,
    },
    facts: facts.filter((fact): fact is [string, string] => fact[1] !== null),
    lines: receipt.items.map((item) => ({
      name: itemWithColor(item),
      price: invoicePrice(item, currency),
      amount: formatMoney(item.salePrice, currency),
    })),
    shipping: receipt.cancels ? null : fee,
    total: formatMoney(cents, currency),
    payments: payments ? paymentRows(payments, cents, currency) : [],
  }
}

function invoicePrice({ price, salePrice }: Receipt['items'][number], currency: Currency) {
  if (price === null) return texts.unknownPrice
  return formatMoney(Math.abs(salePrice) > Math.abs(price) ? salePrice : price, currency)
}
