import type { Currency } from '#app/lib/text/currency.ts'
import { formatMoney, type Cents } from '#app/features/pricing/money.ts'
import type { ReceiptPayments } from './payment.ts'
import { invoicePaymentTexts } from './owner-texts.ts'
import { paidText } from './texts.ts'

/** Returns the rows below the total of an invoice: a note about the credit, the payments and the open amount. The note has no amount, because the agreed prices are already lower. [AGREE-48, AGREE-98] */
export function paymentRows(
  { references, paid, creditCents }: ReceiptPayments,
  total: Cents,
  currency: Currency,
): { name: string; amount: string }[] {
  const row = (name: string, cents: Cents) => ({ name, amount: formatMoney(cents, currency) })
  const open = Math.max(
    0,
    paid.reduce((rest, { cents }) => rest - cents, total),
  )
  const credit = creditCents > 0 ? [{ name: invoicePaymentTexts.credit(formatMoney(creditCents, currency)), amount: '' }] : []
  if (references.length === 0) return credit
  return [
    ...credit,
    ...paid.map((payment) => row(paidText(payment), -payment.cents)),
    row(open > 0 ? invoicePaymentTexts.openFor(references) : invoicePaymentTexts.open, open),
  ]
}
