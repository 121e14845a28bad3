/** What stands on the papers, said once for the printed page and for the PDF file. */
import { formatMoney, type Cents } from '#app/features/money/money.ts'
import { shownName, totalOf, type Receipt } from '#app/features/sales/receipt.ts'
import { invoiceNumber } from './paper.ts'

/** SALES-53 to SALES-56 */
export const ticketWords = {
  offer: '$5 OFF',
  offerFor: 'your next purchase for writing a testimony',
  how: 'Point your phone here, or type this address:',
  qr: 'QR code to the testimony page',
  unmade: 'The link and its QR code are made when you print.',
}

/** S-117 */
export const cardWords = { salutation: (receipt: Receipt) => `Dear ${shownName(receipt)},`, closing: 'With love,' }

export const invoiceFoot = 'Made by hand, knot by knot.'

export type InvoiceFacts = {
  receipt: Receipt
  /** null: not printed yet */
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
