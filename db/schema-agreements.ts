/** Declares the types of the tables in 001-initial-schema-agreements.ts. Money is in integer cents, time is in UTC milliseconds. */
import type { Generated } from 'kysely'

type Flag = 0 | 1
type Cents = number

export type OfferState =
  | 'sent'
  | 'seen'
  | 'change-requested'
  | 'accepted'
  | 'withdrawn'
  | 'expired'
  | 'replaced'
  | 'canceled'
export type QueueStep = 'waiting' | 'making' | 'ready' | 'handed-over'
/** `validUntil` is the first millisecond at which the offer is no longer valid. `readyBy` is a day such as '2026-03-04', or empty. */
export type OfferTable = {
  id: string
  orderId: string
  state: OfferState
  shippingCents: Cents
  /** whether the customer must give an address after she has accepted the offer */
  isShipped: Flag
  depositCents: Cents
  creditCode: string | null
  creditCents: Cents
  /** the sale prices of the sold pieces, less their agreed prices */
  soldDifferenceCents: Cents
  readyBy: string
  validUntil: number
  createdAt: number
  changedAt: number
}
/** `soldSaleId` is the sale that last made the one-of-a-kind item sold, or null. */
export type SoldItem = { soldSaleId: Generated<string | null> }
/** The address is empty if the owner has shipped to an address from elsewhere. `changedAt` is the time of the last change of the address. */
export type ParcelTable = {
  offerId: string
  recipient: string
  address: string
  carrier: string
  trackingNumber: string
  trackingUrl: string
  shippedAt: number | null
  arrivedAt: number | null
  changedAt: number
}

export type AgreementTables = {
  offers: OfferTable
  /** `priceCents` is the price of one piece. `itemId` is empty for a line that the owner typed, such as an engraved tag. */
  offerLines: {
    offerId: string
    position: number
    itemId: string
    name: string
    color: string
    notes: string
    quantity: number
    priceCents: Cents
  }
  /** Holds an item for one conversation until the time `until`. Has no effect after that time. `offerId` is null if the owner held the item without an offer. */
  holds: {
    itemId: string
    orderId: string
    offerId: string | null
    until: number
    createdAt: number
  }
  /** A line of an accepted offer in the production queue. */
  queueEntries: {
    offerId: string
    line: number
    step: Generated<QueueStep>
    position: number
    handedOverAt: number | null
  }
  /** `position` numbers the payments of an offer from 1. `paidOn` is a day such as '2026-03-04'. */
  payments: {
    offerId: string
    position: number
    kind: 'deposit' | 'balance'
    cents: Cents
    paidOn: string
    method: string
    createdAt: number
  }
  parcels: ParcelTable
  /** `userId` is the customer who earned the credit with a testimony. `offerId` is the accepted offer that uses the credit, or null. */
  credits: {
    code: string
    userId: string
    receiptTag: string
    cents: Cents
    createdAt: number
    offerId: string | null
    usedAt: number | null
  }
}
