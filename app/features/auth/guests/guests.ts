import { mergePreviewTexts } from './texts.ts'
import type { UserDataSummary } from '#app/features/auth/user-data-summary.server.ts'

export type MergePreview = UserDataSummary & {
  /** the email address of the account that receives the data */
  email: string
  /** The number of the guest's favorites that are already favorites of the account. */
  favoritesOfBoth: number
  /** Is true if the account already has a conversation. The guest's messages are then added to that conversation. */
  hasConversation: boolean
  /** The content of the preview. The form sends this text back, which proves that the guest agrees to what the page showed. */
  version: string
}

export const mergePreviewLines = ({
  favorites,
  favoritesOfBoth,
  messages,
  pictures,
  requested,
  purchases,
}: MergePreview): string[] => [
  ...(favorites > 0 ? [mergePreviewTexts.favorites(favorites, favoritesOfBoth)] : []),
  ...(messages > 0 ? [mergePreviewTexts.messages(messages)] : []),
  ...(pictures > 0 ? [mergePreviewTexts.pictures(pictures)] : []),
  ...(requested.length > 0 ? [mergePreviewTexts.requested(requested)] : []),
  ...(purchases > 0 ? [mergePreviewTexts.purchases(purchases)] : []),
]

export type OrderItemToMerge = {
  itemId: string
  name: string
  priceCents: number
  shownPriceCents: number | null
  isSold: 0 | 1
  saleId: string | null
  color: string
  offerId: string | null
  agreedCents: number | null
  quantity: number
}
export type OrderToMerge = {
  isClosed: 0 | 1
  receiptTag: string | null
  lines: readonly OrderItemToMerge[]
}

type MergedOrder = OrderToMerge & {
  /** The items that both the guest and the account have requested. The merged order contains each of these items once. [S-196] */
  askedTwice: string[]
}

/**
 * The merged order is open if one of the two orders is open. Items that were sold in a closed order are left out if the other order is open. An unsold item of both orders
 * appears once, with the prices of the account's request and the accepted offer of either order. The merged order keeps the receipt tag of the account's open order,
 * or else of the guest's open order. [S-068, S-069]
 */
export function mergeOrders(account: OrderToMerge, guest: OrderToMerge): MergedOrder {
  const isOpen = account.isClosed === 0 || guest.isClosed === 0
  const staying = ({ lines, isClosed }: OrderToMerge) =>
    isOpen && isClosed === 1
      ? lines.filter((line) => line.isSold === 0 || line.offerId !== null)
      : lines
  const own = staying(account)
  const requested = new Set(own.filter((line) => line.isSold === 0).map((line) => line.itemId))
  const isAskedTwice = ({ itemId, isSold }: OrderItemToMerge) =>
    isSold === 0 && requested.has(itemId)
  const others = staying(guest)
  const withAgreement = (line: OrderItemToMerge): OrderItemToMerge => {
    const theirs = others.find(
      (other) => isAskedTwice(other) && other.itemId === line.itemId && other.agreedCents !== null,
    )
    if (line.isSold || line.agreedCents !== null || !theirs) return line
    return {
      ...line,
      offerId: theirs.offerId,
      agreedCents: theirs.agreedCents,
      quantity: theirs.quantity,
      color: theirs.color,
    }
  }
  const askedTwice = others.filter(isAskedTwice).map((line) => line.itemId)
  const tagOf = ({ isClosed, receiptTag }: OrderToMerge) => (isClosed === 0 ? receiptTag : null)
  return {
    isClosed: isOpen ? 0 : 1,
    receiptTag: tagOf(account) ?? tagOf(guest),
    lines: [...own.map(withAgreement), ...others.filter((line) => !isAskedTwice(line))],
    askedTwice,
  }
}

/** Returns the number of the last read message after the merge. Read messages may become unread, but no unread message becomes read. [S-213] */
export const mergedReadReceipt = (
  account: { mark: number; lastSeq: number; isAllRead: boolean },
  guestMark: number,
): number => (account.isAllRead ? account.lastSeq + guestMark : account.mark)
