/** Contains the rules of offers. Server and browser share these rules. */
import type { OfferState } from '#db/schema-agreements.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { Offer } from '#app/features/orders/order.ts'
import { offerTexts as texts } from './texts.ts'

export const MAX_OFFER_LINES = 50
export const MAX_QUANTITY = 99
export const MAX_LINE_TEXT = 200
/** An offer is valid for at most this many days. */
export const MAX_VALID_DAYS = 365
export const DEFAULT_VALID_DAYS = 7

export type OfferAction =
  | 'see'
  | 'request-change'
  | 'accept'
  | 'withdraw'
  | 'replace'
  | 'expire'
  | 'cancel'
type Transition = { by: 'customer' | 'owner' | 'time'; from: readonly OfferState[]; to: OfferState }

/** In each of these states, the customer can accept the offer. */
export const OPEN_STATES = ['sent', 'seen', 'change-requested'] as const satisfies OfferState[]

/** Lists every action that changes the state of an offer. docs/states.md draws this table. [AGREE-02] */
export const offerTransitions: Record<OfferAction, Transition> = {
  see: { by: 'customer', from: ['sent'], to: 'seen' },
  'request-change': { by: 'customer', from: OPEN_STATES, to: 'change-requested' },
  accept: { by: 'customer', from: OPEN_STATES, to: 'accepted' },
  withdraw: { by: 'owner', from: OPEN_STATES, to: 'withdrawn' },
  replace: { by: 'owner', from: OPEN_STATES, to: 'replaced' },
  expire: { by: 'time', from: OPEN_STATES, to: 'expired' },
  cancel: { by: 'owner', from: ['accepted'], to: 'canceled' },
}

export const isOpen = (state: OfferState): boolean =>
  (OPEN_STATES as readonly OfferState[]).includes(state)

/** Returns 'expired' for an open offer whose time has passed, even if no job has stored this state yet. */
export const stateAt = (
  offer: { state: OfferState; validUntil: number },
  now: number,
): OfferState => (isOpen(offer.state) && offer.validUntil <= now ? 'expired' : offer.state)

/** Returns the sum of all lines with shipping, less the customer's credit. A piece that the owner sold at another price counts with this price. The sum is never negative. [AGREE-101] */
export const offerTotal = (
  offer: Pick<Offer, 'lines' | 'shippingCents' | 'creditCents'> &
    Partial<Pick<Offer, 'soldDifferenceCents'>>,
): Cents =>
  Math.max(
    0,
    piecesTotal(offer.lines) +
      offer.shippingCents -
      offer.creditCents +
      (offer.soldDifferenceCents ?? 0),
  )

export const piecesTotal = (lines: Offer['lines']): Cents =>
  lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)

/** Lists the shipping, the credit, the difference to the sale prices and the total of an offer. */
export function offerSums(offer: Offer): { name: string; cents: Cents; isTotal: boolean }[] {
  const { shippingCents, creditCode, creditCents, soldDifferenceCents } = offer
  const sum = (name: string, cents: Cents, isShown: boolean) =>
    isShown ? [{ name, cents, isTotal: false }] : []
  return [
    ...sum(texts.shipping, shippingCents, shippingCents > 0),
    ...sum(texts.credit(creditCode ?? ''), -creditCents, creditCode !== null),
    ...sum(texts.soldDifference, soldDifferenceCents, soldDifferenceCents !== 0),
    { name: texts.total, cents: offerTotal(offer), isTotal: true },
  ]
}
