import type { OfferTable, ParcelTable, QueueStep, Tables } from '#db/schema.ts'
import type { Cents } from '#pricing/money.ts'
import type { QrDrawing } from '#ui/qr-code.tsx'

/** `cents` is for one piece. `itemId` is '' for a line that the owner typed. */
export type OfferLine = Omit<Tables['offerLines'], 'offerId' | 'position' | 'priceCents'> & {
  cents: Cents
}

/** A piece that was handed over is sent or picked up. */
export type ShownStep = Exclude<QueueStep, 'handed-over'> | 'sent' | 'received' | 'picked-up'

/** The server sends every property to the browser. */
export type Offer = Omit<OfferTable, 'orderId' | 'createdAt' | 'changedAt'> & {
  lines: OfferLine[]
  isSold: boolean
  steps?: Record<number, ShownStep> | undefined
  payment?: OfferPayment
  parcel?: Parcel | undefined
}
export type Parcel = Omit<ParcelTable, 'offerId'>

export type PaymentKind = Tables['payments']['kind']
/** `paidOn` is like '2026-03-04'. `isAll` means that the offer has no deposit. */
export type Payment = Omit<Tables['payments'], 'offerId' | 'position' | 'createdAt'> & {
  isAll: boolean
}
export type PaymentState = 'unpaid' | 'deposit-paid' | 'paid'

export type BankFact = 'accountHolder' | 'iban' | 'bic' | 'routingNumber' | 'accountNumber'
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
  /** null if there is nothing left to pay */
  due: { kind: PaymentKind | 'total'; cents: Cents; rest: Cents; ways: WayToPay[] } | null
  /** what was paid above the total of an accepted offer, or for a canceled offer */
  toReturnCents: Cents
  reference: string
}
