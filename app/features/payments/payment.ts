/** Contains the rules of payments. Server and browser share these rules. */
import type { Cents } from '#app/features/pricing/money.ts'
import type { Payment, PaymentKind, PaymentState } from '#app/features/orders/offer-payment.ts'

export const PAYMENT_METHODS = ['payPal', 'venmo', 'cashApp', 'bank', 'cash', 'other'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** The number and sum of the accepted offers that are not fully paid. `lines` contains only the oldest of these offers. */
export type OpenAmounts = {
  count: number
  cents: Cents
  lines: { orderId: string; customer: string; reference: string; cents: Cents }[]
}

/**
 * What an invoice shows of payments and of the customer's credit, stored when the invoice gets its number.
 * `references` is empty if the invoice shows no payments.
 */
export type ReceiptPayments = { references: string[]; paid: Payment[]; creditCents: Cents }

export type PaymentAction =
  | 'pay-deposit'
  | 'pay-balance'
  | 'pay-total'
  | 'undo-deposit'
  | 'undo-balance'
  | 'undo-total'
/** `kind` is the payment that the action records or undoes. */
type Transition = {
  by: 'owner'
  from: readonly PaymentState[]
  to: PaymentState
  kind: PaymentKind
}

/** Lists every action that changes what is paid of an accepted offer. The states of an undo apply if no piece was sold at another price. docs/states.md draws this table. [AGREE-43] */
export const paymentTransitions: Record<PaymentAction, Transition> = {
  'pay-deposit': { by: 'owner', from: ['unpaid'], to: 'deposit-paid', kind: 'deposit' },
  'pay-balance': { by: 'owner', from: ['deposit-paid'], to: 'paid', kind: 'balance' },
  'pay-total': { by: 'owner', from: ['unpaid'], to: 'paid', kind: 'balance' },
  'undo-deposit': { by: 'owner', from: ['deposit-paid'], to: 'unpaid', kind: 'deposit' },
  'undo-balance': { by: 'owner', from: ['paid'], to: 'deposit-paid', kind: 'balance' },
  'undo-total': { by: 'owner', from: ['paid'], to: 'unpaid', kind: 'balance' },
}

export const isPaymentAction = (intent: string): intent is PaymentAction =>
  Object.hasOwn(paymentTransitions, intent)
export const isUndo = (action: PaymentAction): boolean => action.startsWith('undo-')

/** Returns the deposit in cents. Half a cent is rounded up. */
export const depositOf = (totalCents: Cents, percent: number): Cents =>
  Math.floor((totalCents * percent + 50) / 100)

export type Amounts = { totalCents: Cents; depositCents: Cents }

type Amount = Pick<Payment, 'cents'>
export const paidCents = (payments: readonly Amount[]): Cents =>
  payments.reduce((sum, { cents }) => sum + cents, 0)

/** Returns the state of the payment. An offer that costs nothing counts as paid. */
export function paymentState(
  { totalCents }: Pick<Amounts, 'totalCents'>,
  payments: readonly Amount[],
): PaymentState {
  const paid = paidCents(payments)
  if (paid >= totalCents) return 'paid'
  return paid > 0 ? 'deposit-paid' : 'unpaid'
}

/** Returns the amount in cents that an action pays, or null if the action is not possible. A deposit of the whole amount counts as the total, because nothing remains to pay. */
export function amountOf(
  action: PaymentAction,
  { totalCents, depositCents }: Amounts,
  payments: readonly Amount[],
): Cents {
  if (action === 'pay-deposit') return depositCents < totalCents ? depositCents : 0
  return totalCents - paidCents(payments)
}

/** Returns the action that undoes the last payment, or null if nothing was paid. */
export function undoAction(payments: readonly Payment[]): PaymentAction | null {
  const has = (kind: PaymentKind) => payments.some((payment) => payment.kind === kind)
  if (has('balance')) return has('deposit') ? 'undo-balance' : 'undo-total'
  return has('deposit') ? 'undo-deposit' : null
}
