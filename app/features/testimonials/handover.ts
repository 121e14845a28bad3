/** `handedOver` contains, for each line in the production queue, when it was handed over, or null. `isSold`: every line of the offer is sold. */
export type Handover = {
  isSold: boolean
  isShipped: boolean
  shippedAt: number | null
  arrivedAt: number | null
  handedOver: readonly (number | null)[]
}

/**
 * Returns when the customer got the pieces of an offer, or null if she has not got all of them. The arrival of the parcel counts first,
 * then the production queue, then the day on which the parcel was sent. An offer without any of them counts from its sale. [AGREE-62]
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
