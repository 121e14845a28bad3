import type { OfferState } from '#db/schema.ts'
import type { Cents } from '#pricing/money.ts'
import type { Offer } from '#conversation/agreement.ts'
import { parcelState } from '#parcels/parcel.ts'
import { offerTexts as texts } from './texts.ts'

export const MAX_OFFER_LINES = 50
export const MAX_QUANTITY = 99
export const MAX_LINE_TEXT = 200
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

export const OPEN_STATES = ['sent', 'seen', 'change-requested'] as const satisfies OfferState[]

export const offerTransitions: Record<OfferAction, Transition> = {
  see: { by: 'customer', from: ['sent'], to: 'seen' },
  'request-change': { by: 'customer', from: OPEN_STATES, to: 'change-requested' },
  accept: { by: 'customer', from: OPEN_STATES, to: 'accepted' },
  withdraw: { by: 'owner', from: OPEN_STATES, to: 'withdrawn' },
  replace: { by: 'owner', from: OPEN_STATES, to: 'replaced' },
  expire: { by: 'time', from: OPEN_STATES, to: 'expired' },
  cancel: { by: 'owner', from: ['accepted'], to: 'canceled' },
}

export const isOpen = (state: OfferState) => (OPEN_STATES as readonly OfferState[]).includes(state)

/** Returns 'expired' as soon as the offer expires; a job stores this state later. */
export const stateAt = (
  offer: { state: OfferState; validUntil: number },
  now: number,
): OfferState => (isOpen(offer.state) && offer.validUntil <= now ? 'expired' : offer.state)

/** Returns cents, with the sale prices of sold pieces. [AGREE-101] */
export const offerTotal = (
  offer: Pick<Offer, 'lines' | 'shippingCents' | 'creditCents'> &
    Partial<Pick<Offer, 'soldDifferenceCents'>>,
) =>
  Math.max(
    0,
    piecesTotal(offer.lines) +
      offer.shippingCents -
      offer.creditCents +
      (offer.soldDifferenceCents ?? 0),
  )

export const piecesTotal = (lines: Offer['lines']) =>
  lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)

export const stepAnchor = ({ id }: Pick<Offer, 'id'>, place: 'pay' | 'address') => `${place}-${id}`

/** Returns what the customer must do after accepting an offer. [AGREE-147] */
export function nextSteps(offer: Offer) {
  if (offer.state !== 'accepted') return []
  const { payment, isShipped, parcel } = offer
  const due = payment?.due
  const pay = due ? [{ anchor: stepAnchor(offer, 'pay'), kind: due.kind, cents: due.cents }] : []
  const isAddressMissing = isShipped && parcelState(parcel) === 'no-address'
  const address = { anchor: stepAnchor(offer, 'address'), kind: 'address' as const, cents: 0 }
  return isAddressMissing ? [...pay, address] : pay
}

export function offerSums(offer: Offer) {
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
