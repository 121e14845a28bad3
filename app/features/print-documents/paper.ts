import { decimalAmount, formatMoney, type Cents } from '#app/features/pricing/money.ts'
import { shownName, totalOf, type Receipt } from '#app/features/sales/receipt.ts'

export const PAPERS = ['Invoice', 'Thank you card', 'Testimony Ticket'] as const
export type Paper = (typeof PAPERS)[number]

/** SALES-29 to SALES-32: a ticket is checked by the buyer's e-mail, so one without an e-mail could never be used. */
export const papersFor = (receipt: Pick<Receipt, 'buyerEmail'>): Paper[] =>
  PAPERS.filter((paper) => paper !== 'Testimony Ticket' || receipt.buyerEmail !== '')

/** What the PDF file is cut to; the printed page follows the printer. */
export const PAPER_SIZES = ['Letter', 'A4'] as const
export type PaperSize = (typeof PAPER_SIZES)[number]

/** S-193: most of the Americas writes on Letter, everybody else on A4. */
export const usualPaperSize = (timeZone: string): PaperSize => (/^(America|US|Canada|Mexico)\//.test(timeZone) ? 'Letter' : 'A4')

export type Numbered = { number: number; shippingCents: Cents; createdAt: number }

/** S-190: "0007", and longer when four figures are no longer enough. */
export const invoiceNumber = (number: number): string => String(number).padStart(4, '0')

/**
 * SALES-36 to SALES-40, S-113, S-191: what was typed as the shipping fee, in cents. Blank, 0 and less are 0, which means FREE; there is no upper
 * bound but that cents stay exact. null: not a number.
 */
export function readShipping(typed: string): Cents | null {
  const text = typed.trim().replace(/^\$\s*/, '')
  // '1,5' is a comma for a point, '1,000' and '1,000.50' are thousands.
  const plain = /^-?\d+,\d{1,2}$/.test(text)
    ? text.replace(',', '.')
    : /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text)
      ? text.replaceAll(',', '')
      : text
  if (plain !== '' && !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i.test(plain)) return null
  // Half a cent is rounded up as it is written, which 1.005 * 100 would not do.
  const cents = plain.toLowerCase().includes('e') || plain === '' ? Number(plain) * 100 : Number(`${plain}e2`)
  if (cents <= 0) return 0
  return cents <= Number.MAX_SAFE_INTEGER ? Math.round(cents) : null
}

/** As it stands in the field again when the receipt is opened once more. */
export const typedShippingOf = (invoice: Numbered | null): string =>
  !invoice ? '' : invoice.shippingCents === 0 ? '0' : decimalAmount(invoice.shippingCents)

/** What is not the specification's own words. */
export const PAPER_TEXTS = {
  'not-a-number': 'Please enter the shipping fee as a number.',
  nothing: 'Please tick what to print.',
  'not-found': 'This receipt is no longer there.',
  failed: 'The papers could not be made ready. Please try again.',
  letters: 'The PDF has no letters for this name or text. Print writes every letter.',
} as const

export const ticketWords = {
  offer: '$5 OFF',
  offerFor: 'your next purchase for writing a testimony',
  how: 'Point your phone here, or type this address:',
  qr: 'QR code to the testimony page',
  unmade: 'The link and its QR code are made when you print.',
}

export const cardWords = { salutation: (receipt: Receipt) => `Dear ${shownName(receipt)},`, closing: 'With love,' }

export const invoiceFoot = 'Made by hand, knot by knot.'

export type InvoiceFacts = {
  receipt: Receipt
  number: number | null
  /** the day on which the number was given, where that was not today */
  issued: string | null
  today: string
  shipping: Cents
}

/** SALES-43 to SALES-51: price is the original, amount the sale price; the totals include shipping (S-112). */
export function invoiceWords({ receipt, number, issued, today, shipping }: InvoiceFacts) {
  const total = formatMoney(totalOf([receipt]) + shipping)
  return {
    billTo: { name: shownName(receipt), email: receipt.buyerEmail },
    facts: [
      ['Number', number === null ? 'Draft' : invoiceNumber(number)],
      ['Date', today],
      ...(issued === null ? [] : [['First issued', issued]]),
      ...(receipt.receiptTag ? [['Receipt', receipt.receiptTag]] : []),
    ] as [label: string, value: string][],
    lines: receipt.items.map((item) => ({
      name: item.name,
      price: item.price === null ? '—' : formatMoney(item.price),
      amount: formatMoney(item.salePrice),
    })),
    shipping: shipping === 0 ? 'FREE' : formatMoney(shipping),
    total,
  }
}
