/** Contains the rules of parcels. Server and browser share these rules. */
import type { Parcel } from '#app/features/orders/order.ts'

export type ParcelState = 'no-address' | 'address-given' | 'shipped' | 'arrived'
export type ParcelAction = 'give-address' | 'ship-parcel' | 'correct-tracking' | 'confirm-arrival'
type Transition = { by: 'customer' | 'owner'; from: readonly ParcelState[]; to: ParcelState }

/** Lists every action on the parcel of an accepted offer. The owner may ship without an address in the shop, because she may have it from elsewhere. docs/states.md draws this table. [AGREE-50, AGREE-53, AGREE-56] */
export const parcelTransitions: Record<ParcelAction, Transition> = {
  'give-address': { by: 'customer', from: ['no-address', 'address-given'], to: 'address-given' },
  'ship-parcel': { by: 'owner', from: ['no-address', 'address-given'], to: 'shipped' },
  'correct-tracking': { by: 'owner', from: ['shipped'], to: 'shipped' },
  'confirm-arrival': { by: 'customer', from: ['shipped'], to: 'arrived' },
}

type Facts = Pick<Parcel, 'recipient' | 'shippedAt' | 'arrivedAt'>
export function parcelState(parcel: Facts | undefined): ParcelState {
  if (!parcel) return 'no-address'
  if (parcel.arrivedAt !== null) return 'arrived'
  if (parcel.shippedAt !== null) return 'shipped'
  return parcel.recipient === '' ? 'no-address' : 'address-given'
}

export const mayDo = (action: ParcelAction, state: ParcelState): boolean =>
  parcelTransitions[action].from.includes(state)

/** The carriers, with the URL of their page about a tracking number. */
export const carriers = {
  usps: {
    name: 'USPS',
    link: (number: string) => `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
  },
  ups: { name: 'UPS', link: (number: string) => `https://www.ups.com/track?tracknum=${number}` },
  fedex: {
    name: 'FedEx',
    link: (number: string) => `https://www.fedex.com/fedextrack/?trknbr=${number}`,
  },
  dhl: {
    name: 'DHL',
    link: (number: string) => `https://www.dhl.com/us-en/home/tracking.html?tracking-id=${number}`,
  },
} as const
export type Carrier = keyof typeof carriers
/** For a carrier that is not in the list, the owner types the link herself. */
export const OTHER_CARRIER = 'other'
export const isCarrier = (carrier: string): carrier is Carrier => Object.hasOwn(carriers, carrier)

export const MAX_TRACKING_NUMBER = 40
export const MAX_TRACKING_URL = 500

export type Tracking = Pick<Parcel, 'carrier' | 'trackingNumber' | 'trackingUrl'>

/** Returns the link to the page about the parcel, or null if the owner has typed no tracking number. */
export const trackingLink = ({ carrier, trackingNumber, trackingUrl }: Tracking): string | null =>
  isCarrier(carrier)
    ? carriers[carrier].link(encodeURIComponent(trackingNumber))
    : trackingUrl || null

/** Returns for example "UPS 1Z999". For a carrier that is not in the list, returns the host of its link, such as "track.example". */
export const trackingName = ({ carrier, trackingNumber, trackingUrl }: Tracking): string =>
  [isCarrier(carrier) ? carriers[carrier].name : URL.parse(trackingUrl)?.hostname, trackingNumber]
    .filter(Boolean)
    .join(' ')
