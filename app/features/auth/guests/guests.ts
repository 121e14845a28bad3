import type { Selectable } from 'kysely'
import type { Tables } from '#db/schema.ts'
import { mergePreviewTexts as texts } from './texts.ts'
import type { MergePreview } from './link-guest.server.ts'

export const mergePreviewLines = ({
  favorites,
  favoritesOfBoth,
  messages,
  images,
  requested,
  purchases,
}: MergePreview) =>
  [
    favorites > 0 && texts.favorites(favorites, favoritesOfBoth),
    messages > 0 && texts.messages(messages),
    images > 0 && texts.images(images),
    requested.length > 0 && texts.requested(requested),
    purchases > 0 && texts.purchases(purchases),
  ].filter((line) => line !== false)

export type OrderItemToMerge = Omit<
  Selectable<Tables['orderItems']>,
  'orderId' | 'position' | 'searchName'
>
export type OrderToMerge = {
  isClosed: boolean
  receiptTag: string | null
  lines: readonly OrderItemToMerge[]
}

/**
 * The merged order is open if one of the two orders is open, and then leaves out pieces that were
 * sold in the closed order without an offer. An item that both orders request keeps the account's
 * prices and the accepted offer of either order. [S-068]
 */
export function mergeOrders(account: OrderToMerge, guest: OrderToMerge) {
  const isOpen = !account.isClosed || !guest.isClosed
  const staying = ({ lines, isClosed }: OrderToMerge) =>
    isOpen && isClosed ? lines.filter((line) => !line.isSold || line.offerId !== null) : lines
  const accountLines = staying(account)
  const guestLines = staying(guest)
  const requested = new Set(accountLines.filter((line) => !line.isSold).map((line) => line.itemId))
  const isAskedTwice = ({ itemId, isSold }: OrderItemToMerge) => !isSold && requested.has(itemId)
  const withAgreement = (line: OrderItemToMerge) => {
    const agreement = guestLines.find(
      (guestLine) =>
        isAskedTwice(guestLine) &&
        guestLine.itemId === line.itemId &&
        guestLine.agreedCents !== null,
    )
    if (line.isSold || line.agreedCents !== null || !agreement) return line
    const { offerId, agreedCents, quantity, color } = agreement
    return { ...line, offerId, agreedCents, quantity, color }
  }
  const askedTwice = guestLines.filter(isAskedTwice).map((line) => line.itemId)
  const tagOf = ({ isClosed, receiptTag }: OrderToMerge) => (isClosed ? null : receiptTag)
  return {
    isClosed: !isOpen,
    receiptTag: tagOf(account) ?? tagOf(guest),
    lines: [
      ...accountLines.map(withAgreement),
      ...guestLines.filter((line) => !isAskedTwice(line)),
    ],
    askedTwice,
  }
}

/** A message that was read may become unread, but an unread message never becomes read. [S-213] */
export const mergedReadReceipt = (
  account: { mark: number; lastSeq: number; isAllRead: boolean },
  guestMark: number,
) => (account.isAllRead ? account.lastSeq + guestMark : account.mark)
