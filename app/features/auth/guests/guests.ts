/** What a guest is told on the way to a lasting account (033), and what two orders become when they are merged. */
import { countText } from '#app/ui/amounts.ts'
import type { Belongings } from '#app/features/auth/belongings.server.ts'

export const KEPT = 'Your account is kept. Welcome!'
export const MOVED = 'Everything has moved to your account. Welcome back!'
export const NOT_MOVED = 'Nothing has moved. You are still a guest.'

export const moveTexts = {
  'not-a-guest': 'You are no guest any more, so there is nothing to move.',
  unproven: 'Please log in to your account once more, so that nobody else can take your things over.',
  changed: 'Something has changed meanwhile. Please look at the list again.',
  failed: 'Nothing has moved, and nothing is lost. Please try again.',
}

/** S-212: said before any password is looked at, so that it tells nothing about it. */
export const OWNERS_OWN = "The owner's account takes nothing over. To log in as the owner, log out as a guest first."

export type WhatMoves = Belongings & {
  /** of the account it moves to */
  email: string
  /** of the favourites, those that are among the account's already */
  favouritesThere: number
  /** the account has a conversation of its own, which goes on with the guest's messages */
  hasConversation: boolean
  /** says whether what was shown is still what there is */
  version: string
}

const alreadyThere = (all: number, there: number) =>
  there === 0 ? '' : there < all ? `, ${there.toLocaleString('en-US')} of them there already` : ', already there'

export const linesOf = ({ favourites, favouritesThere, messages, pictures, asked, purchases }: WhatMoves): string[] => [
  ...(favourites > 0 ? [countText(favourites, 'favorite') + alreadyThere(favourites, favouritesThere)] : []),
  ...(messages > 0 ? [countText(messages, 'message')] : []),
  ...(pictures > 0 ? [countText(pictures, 'picture')] : []),
  ...(asked.length > 0 ? [`${countText(asked.length, 'piece')} you asked for: ${asked.join(', ')}`] : []),
  ...(purchases > 0 ? [countText(purchases, 'piece that you bought', 'pieces that you bought')] : []),
]

export type Line = { itemId: string; name: string; priceCents: number; isSold: 0 | 1 }
export type Order = { isClosed: 0 | 1; receiptTag: string | null; lines: readonly Line[] }

type MergedOrder = Order & {
  /** pieces that both had asked for: the guest's request is no second one (S-196) */
  askedTwice: string[]
}

/**
 * As if all had been asked for in one conversation: open when one of the two is; what was sold in a closed order leaves an open one (S-069); a piece
 * stands in it once, at the price of the first request (S-068), unsold if it waits in either; the account's tag stays before the guest's.
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

/** S-213: how far one has read in the two together: something may count as unread once more, nothing as read that was not. */
export const mergedMark = (account: { mark: number; lastSeq: number; isAllRead: boolean }, guestMark: number): number =>
  account.isAllRead ? account.lastSeq + guestMark : account.mark
