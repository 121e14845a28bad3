import type { BankFact, OfferPayment, Payment, WayToPay } from '#conversation/agreement.ts'
import { formatIsoDay } from '#ui/format-date.ts'
import type { PaymentMethod } from './payment.ts'

export const paymentTexts = {
  title: 'Payment',
  deposit: 'Deposit',
  depositOnAccept: 'Deposit due when you accept',
  due: { deposit: 'Deposit to pay', balance: 'Balance to pay', total: 'To pay' } satisfies Record<
    NonNullable<OfferPayment['due']>['kind'],
    string
  >,
  rest: (amount: string) => `The remaining ${amount} is due later.`,
  reference: 'Reference',
  referenceHint: 'Please add the reference to your payment.',
  paid: 'Paid',
  overpaid: 'Paid above this total',
  notReturned: 'Not returned yet',
  nothing: 'Nothing to pay',
  paidOn: {
    deposit: (day: string, method: string) => `Deposit paid on ${day}, ${method}`,
    balance: (day: string, method: string) => `Balance paid on ${day}, ${method}`,
    total: (day: string, method: string) => `Paid on ${day}, ${method}`,
  },
  ways: {
    payPal: 'Pay with PayPal',
    venmo: 'Pay with Venmo',
    cashApp: 'Pay with Cash App',
    bank: 'Bank transfer',
    usBank: 'Bank transfer (US)',
    cash: 'Cash at handover',
    other: 'Another way',
  } satisfies Record<WayToPay['way'], string>,
  facts: {
    accountHolder: 'Account holder',
    iban: 'IBAN',
    bic: 'BIC',
    routingNumber: 'Routing number',
    accountNumber: 'Account number',
  } satisfies Record<BankFact, string>,
  qr: 'QR code',
  qrOf: (way: string) => `QR code: ${way}`,
  allWays: 'How the customer can pay',
  methods: {
    payPal: 'PayPal',
    venmo: 'Venmo',
    cashApp: 'Cash App',
    bank: 'bank transfer',
    cash: 'cash',
    other: 'another way',
  } satisfies Record<PaymentMethod, string>,
}

export const invoicePaymentTexts = {
  credit: (amount: string) => `The agreed prices already include a credit of ${amount}.`,
  open: 'Amount due',
  openFor: (references: string[]) => `Amount due (reference ${references.join(', ')})`,
}

export const methodName = (method: string) =>
  (paymentTexts.methods as Record<string, string | undefined>)[method] ?? method

export const methodTitle = (method: string) =>
  methodName(method).replace(/^./, (letter) => letter.toUpperCase())

export function paidText({ kind, isAll, paidOn, method }: Omit<Payment, 'cents'>) {
  const day = formatIsoDay(paidOn)
  return paymentTexts.paidOn[isAll ? 'total' : kind](day, methodName(method))
}
