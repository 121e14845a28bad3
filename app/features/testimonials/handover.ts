/** `handedOver` has, for each line of the production queue, the time of its handover or null. `isSold` is true if every line of the offer is sold. */
export type Handover = {
  isSold: boolean
  isShipped: boolean
  shippedAt: number | null
  arrivedAt: number | null
  handedOver: readonly (number | null)[]
}

/**
 * Returns when the customer got all pieces of an offer, or null if she has not got all of them. This is the arrival of the parcel, else the last handover
 * in the production queue, else the day on which the parcel was shipped, else the sale. [AGREE-62]
 */
export function handoverOf(handover: Handover | undefined, soldAt: number): number | null {
  if (!handover) return soldAt
  const { isSold, isShipped, shippedAt, arrivedAt, handedOver } = handover
  if (!isSold) return null
  if (arrivedAt !== null) return arrivedAt
  if (handedOver.includes(null)) return null
  if (handedOver.length > 0) return Math.max(...handedOver.map(Number), shippedAt ?? 0)
  return isShipped ? shippedAt : soldAt
}
