import { mergePreviewTexts } from './texts.ts'
import type { UserDataSummary } from '#app/features/auth/user-data-summary.server.ts'

export type MergePreview = UserDataSummary & {
  /** of the target account */
  email: string
  /** favorites that the account has already */
  favoritesThere: number
  /** the account has a conversation already, to which the guest's messages are added */
  hasConversation: boolean
  /** changes with the preview's content, so that the guest agrees to what the page showed */
  version: string
}

export const mergePreviewLines = ({ favorites, favoritesThere, messages, pictures, requested, purchases }: MergePreview): string[] => [
  ...(favorites > 0 ? [mergePreviewTexts.favorites(favorites, favoritesThere)] : []),
  ...(messages > 0 ? [mergePreviewTexts.messages(messages)] : []),
  ...(pictures > 0 ? [mergePreviewTexts.pictures(pictures)] : []),
  ...(requested.length > 0 ? [mergePreviewTexts.requested(requested)] : []),
  ...(purchases > 0 ? [mergePreviewTexts.purchases(purchases)] : []),
]

export type OrderItemToMerge = { itemId: string; name: string; priceCents: number; isSold: 0 | 1; color: string }
export type OrderToMerge = { isClosed: 0 | 1; receiptTag: string | null; lines: readonly OrderItemToMerge[] }

type MergedOrder = OrderToMerge & {
  /** items that both the guest and the account requested; the merged order contains each of them once (S-196) */
  askedTwice: string[]
}

/**
 * The merged order is open if one of the two is open. Items that were sold in a closed order leave the open one [S-069]. Each item appears
 * once, at the price of the first request [S-068], and is unsold if it is unsold in one of the orders. The account's receipt tag is kept.
 */
export function mergeOrders(account: OrderToMerge, guest: OrderToMerge): MergedOrder {
  const isOpen = account.isClosed === 0 || guest.isClosed === 0
  const staying = ({ lines, isClosed }: OrderToMerge) => (isOpen && isClosed === 1 ? lines.filter((line) => line.isSold === 0) : lines)
  const merged = new Map(staying(account).map((line) => [line.itemId, line]))
  const askedTwice: string[] = []
  for (const line of staying(guest)) {
    const there = merged.get(line.itemId)
    if (there && there.isSold === 0 && line.isSold === 0) askedTwice.push(line.itemId)
    if (there && (there.isSold === 0 || line.isSold === 1)) continue
    // Deletes the entry first, so that a repeated item moves to the end.
    merged.delete(line.itemId)
    merged.set(line.itemId, line)
  }
  const tagOf = ({ isClosed, receiptTag }: OrderToMerge) => (isClosed === 0 ? receiptTag : null)
  return { isClosed: isOpen ? 0 : 1, receiptTag: tagOf(account) ?? tagOf(guest), lines: [...merged.values()], askedTwice }
}

/** A read message may become unread, but an unread one never becomes read. [S-213] */
export const mergedReadReceipt = (account: { mark: number; lastSeq: number; isAllRead: boolean }, guestMark: number): number =>
  account.isAllRead ? account.lastSeq + guestMark : account.mark
