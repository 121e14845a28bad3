import type { Cents } from '#pricing/money.ts'
import type { Payment, PaymentKind, PaymentState } from '#conversation/agreement.ts'

export const PAYMENT_METHODS = ['payPal', 'venmo', 'cashApp', 'bank', 'cash', 'other'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export type ReceiptPayments = { references: string[]; paid: Payment[]; creditCents: Cents }

export type PaymentAction = `${'pay' | 'undo'}-${'deposit' | 'balance' | 'total'}`
type Transition = { from: readonly PaymentState[]; to: PaymentState; kind: PaymentKind }

export const paymentTransitions: Record<PaymentAction, Transition> = {
  'pay-deposit': { from: ['unpaid'], to: 'deposit-paid', kind: 'deposit' },
  'pay-balance': { from: ['deposit-paid'], to: 'paid', kind: 'balance' },
  'pay-total': { from: ['unpaid'], to: 'paid', kind: 'balance' },
  'undo-deposit': { from: ['deposit-paid'], to: 'unpaid', kind: 'deposit' },
  'undo-balance': { from: ['paid'], to: 'deposit-paid', kind: 'balance' },
  'undo-total': { from: ['paid'], to: 'unpaid', kind: 'balance' },
}

export const isUndo = (action: PaymentAction) => action.startsWith('undo-')

export const depositOf = (totalCents: Cents, percent: number) =>
  Math.floor((totalCents * percent + 50) / 100)

export type Amounts = { totalCents: Cents; depositCents: Cents }

type Amount = Pick<Payment, 'cents'>
export const paidCents = (payments: readonly Amount[]) =>
  payments.reduce((sum, { cents }) => sum + cents, 0)

export function paymentState(
  { totalCents }: Pick<Amounts, 'totalCents'>,
  payments: readonly Amount[],
) {
  const paid = paidCents(payments)
  if (paid >= totalCents) return 'paid'
  return paid > 0 ? 'deposit-paid' : 'unpaid'
}

/** Returns cents. A deposit of the whole total is 0, because the customer then pays the total. */
export function amountOf(
  action: PaymentAction,
  { totalCents, depositCents }: Amounts,
  payments: readonly Amount[],
) {
  if (action === 'pay-deposit') return depositCents < totalCents ? depositCents : 0
  return totalCents - paidCents(payments)
}

export function undoAction(payments: readonly Payment[]) {
  const has = (kind: PaymentKind) => payments.some((payment) => payment.kind === kind)
  if (has('balance')) return has('deposit') ? 'undo-balance' : 'undo-total'
  return has('deposit') ? 'undo-deposit' : null
}
