import type { Currency } from '#app/lib/text/currency.ts'
import { formatMoney, type Cents } from '#app/features/pricing/money.ts'
import { paidCents, type ReceiptPayments } from './payment.ts'
import { invoicePaymentTexts, paidText, paymentTexts } from './texts.ts'

/** Returns the rows below the total of an invoice: a note about the credit, the payments, and the open amount or what was paid above the total. The note has no amount, because the agreed prices are already lower. [AGREE-48, AGREE-98, AGREE-114] */
export function paymentRows(
  { references, paid, creditCents }: ReceiptPayments,
  total: Cents,
  currency: Currency,
): { name: string; amount: string }[] {
  const row = (name: string, cents: Cents) => ({ name, amount: formatMoney(cents, currency) })
  const open = total - paidCents(paid)
  const credit =
    creditCents > 0
      ? [{ name: invoicePaymentTexts.credit(formatMoney(creditCents, currency)), amount: '' }]
      : []
  if (references.length === 0) return credit
  return [
    ...credit,
    ...paid.map((payment) => row(paidText(payment), -payment.cents)),
    open < 0
      ? row(paymentTexts.overpaid, -open)
      : row(open > 0 ? invoicePaymentTexts.openFor(references) : invoicePaymentTexts.open, open),
  ]
}
