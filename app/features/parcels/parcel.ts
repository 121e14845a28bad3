import type { Parcel } from '#conversation/agreement.ts'

type ParcelState = 'no-address' | 'address-given' | 'shipped' | 'arrived'
export type ParcelAction = 'give-address' | 'ship-parcel' | 'correct-tracking' | 'confirm-arrival'
type Transition = { by: 'customer' | 'owner'; from: readonly ParcelState[]; to: ParcelState }

export const parcelTransitions: Record<ParcelAction, Transition> = {
  'give-address': { by: 'customer', from: ['no-address', 'address-given'], to: 'address-given' },
  'ship-parcel': { by: 'owner', from: ['no-address', 'address-given'], to: 'shipped' },
  'correct-tracking': { by: 'owner', from: ['shipped'], to: 'shipped' },
  'confirm-arrival': { by: 'customer', from: ['shipped'], to: 'arrived' },
}

type Facts = Pick<Parcel, 'recipient' | 'shippedAt' | 'arrivedAt'>
export function parcelState(parcel: Facts | undefined) {
  if (!parcel) return 'no-address'
  if (parcel.arrivedAt !== null) return 'arrived'
  if (parcel.shippedAt !== null) return 'shipped'
  return parcel.recipient === '' ? 'no-address' : 'address-given'
}

export const mayDo = (action: ParcelAction, state: ParcelState) =>
  parcelTransitions[action].from.includes(state)

export const carriers = {
  usps: { name: 'USPS', link: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=' },
  ups: { name: 'UPS', link: 'https://www.ups.com/track?tracknum=' },
  fedex: { name: 'FedEx', link: 'https://www.fedex.com/fedextrack/?trknbr=' },
  dhl: { name: 'DHL', link: 'https://www.dhl.com/us-en/home/tracking.html?tracking-id=' },
}
export type Carrier = keyof typeof carriers
export const OTHER_CARRIER = 'other'
export const isCarrier = (carrier: string): carrier is Carrier => Object.hasOwn(carriers, carrier)

export const MAX_TRACKING_NUMBER = 40
export const MAX_TRACKING_URL = 500

export type Tracking = Pick<Parcel, 'carrier' | 'trackingNumber' | 'trackingUrl'>

export const trackingLink = ({ carrier, trackingNumber, trackingUrl }: Tracking) =>
  isCarrier(carrier)
    ? carriers[carrier].link + encodeURIComponent(trackingNumber)
    : trackingUrl || null

export const trackingName = ({ carrier, trackingNumber, trackingUrl }: Tracking) =>
  [isCarrier(carrier) ? carriers[carrier].name : URL.parse(trackingUrl)?.hostname, trackingNumber]
    .filter(Boolean)
    .join(' ')

export const SLIP_SIZES = ['4x6', 'A6', 'Letter', 'A4'] as const
export type SlipSize = (typeof SLIP_SIZES)[number]
