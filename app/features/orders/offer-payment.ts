/** Contains the types for the payment of an accepted offer. The offer card in the conversation shows the payment. */
import type { Cents } from '#app/features/pricing/money.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'

export type PaymentKind = 'deposit' | 'balance'
/** `paidOn` is a day such as '2026-03-04'. `isAll` is true if the offer has no payment of the kind 'deposit'. */
export type Payment = {
  kind: PaymentKind
  cents: Cents
  paidOn: string
  method: string
  isAll: boolean
}
export type PaymentState = 'unpaid' | 'deposit-paid' | 'paid'

export type BankFact = 'accountHolder' | 'iban' | 'bic' | 'routingNumber' | 'accountNumber'
/** `href` is a link that contains the amount. `qr` is the QR code of this link or of a bank transfer. `facts` are the values that the customer types into the form of her bank. */
export type WayToPay = {
  way: 'payPal' | 'venmo' | 'cashApp' | 'bank' | 'usBank' | 'cash' | 'other'
  href?: string
  facts?: [fact: BankFact, value: string][]
  text?: string
  qr?: QrDrawing
}

export type OfferPayment = {
  state: PaymentState
  payments: Payment[]
  /** the payment that the customer makes next, or null if nothing is open. `rest` is the amount that remains after the deposit. */
  due: { kind: PaymentKind | 'total'; cents: Cents; rest: Cents; ways: WayToPay[] } | null
  /** the amount that the owner must return: what was paid above the total of an accepted offer, or everything that was paid for a canceled one */
  toReturnCents: Cents
  /** the customer adds this text to her payment, so that the owner recognizes it */
  reference: string
}
