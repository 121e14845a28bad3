/** What the order of a guest and that of the account become when they are put together (S-213). */

export type Line = { itemId: string; name: string; priceCents: number; isSold: 0 | 1 }
export type Order = { isClosed: 0 | 1; receiptTag: string | null; lines: readonly Line[] }

export type MergedOrder = Order & {
  /** pieces that both had asked for: the guest's request is no second one (S-196) */
  askedTwice: string[]
}

/**
 * As if all of it had been asked for in one conversation: it is open when one of the two is; what was sold in a closed order leaves an open
 * one (S-069); a piece stands in it once, with the price of the first request (S-068), unsold if it waits in either. One tag can stay, the
 * account's before the guest's; sales keep the tag that they were sold with.
 */
export function mergeOrders(account: Order, guest: Order): MergedOrder {
  const isOpen = account.isClosed === 0 || guest.isClosed === 0
  const staying = ({ lines, isClosed }: Order) => (isOpen && isClosed === 1 ? lines.filter((line) => line.isSold === 0) : lines)
  const merged = new Map(staying(account).map((line) => [line.itemId, line]))
  const askedTwice: string[] = []
  for (const line of staying(guest)) {
    const there = merged.get(line.itemId)
    if (there && there.isSold === 0 && line.isSold === 0) askedTwice.push(line.itemId)
    if (there && (there.isSold === 0 || line.isSold === 1)) continue
    // A Map keeps the place of a key that it has; what is asked for anew stands at the end.
    merged.delete(line.itemId)
    merged.set(line.itemId, line)
  }
  const tagOf = ({ isClosed, receiptTag }: Order) => (isClosed === 0 ? receiptTag : null)
  return { isClosed: isOpen ? 0 : 1, receiptTag: tagOf(account) ?? tagOf(guest), lines: [...merged.values()], askedTwice }
}

/**
 * S-213: how far one has read in the two together, the guest's messages following the account's. Never further than she has: something may count
 * as unread once more, nothing as read that was not. `isAllRead`: of the account's own part, for this reader.
 */
export const mergedMark = (account: { mark: number; lastSeq: number; isAllRead: boolean }, guestMark: number): number =>
  account.isAllRead ? account.lastSeq + guestMark : account.mark
