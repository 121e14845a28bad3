import type { Currency } from '#lib/text/currency.ts'
import { formatMoney, type Cents } from '#pricing/money.ts'
import { paidCents, type ReceiptPayments } from './payment.ts'
import { invoicePaymentTexts, paidText, paymentTexts } from './texts.ts'

export function paymentRows(
  { references, paid, creditCents }: ReceiptPayments,
  total: Cents,
  currency: Currency,
) {
  const rows: { name: string; amount: string }[] = []
  const addRow = (name: string, cents: Cents) =>
    rows.push({ name, amount: formatMoney(cents, currency) })
  if (creditCents > 0) {
    rows.push({ name: invoicePaymentTexts.credit(formatMoney(creditCents, currency)), amount: '' })
  }
  if (references.length === 0) return rows
  for (const payment of paid) addRow(paidText(payment), -payment.cents)
  const open = total - paidCents(paid)
  if (open > 0) addRow(invoicePaymentTexts.openFor(references), open)
  else if (open === 0) addRow(invoicePaymentTexts.open, open)
  else addRow(paymentTexts.overpaid, -open)
  return rows
}
