export const typedLineId = (offerId: string, position: number) => `offer-${offerId}-${position}`

export const orderItemId = ({
  offerId,
  itemId,
  position,
}: {
  offerId: string
  itemId: string
  position: number
}) => itemId || typedLineId(offerId, position)

export const isTypedLine = (itemId: string) => itemId.startsWith('offer-')
