/** Rules of conversations and orders. */
import type { Cents } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'

export const MAX_MESSAGE_LENGTH = 10_000
/** Browsers send line breaks as two characters. */
export const withPlainBreaks = (text: string): string => text.replaceAll('\r\n', '\n')

export type Writer = { id: string; name: string; email: string; photoURL: string }
/** `from` and `to` are positions as in String.slice. */
export type MessageLink = { from: number; to: number; href: string }
export type Message = {
  seq: number
  id: string
  message: string
  sender: string
  createdAt: number
  links?: MessageLink[]
  /** null: deleted with the guest who sent it */
  pictures?: readonly (PictureView | null)[]
  /** only in the message of an order request */
  request?: RequestedPiece
}
/** The item as it was when the customer requested it, and what became of the request. `picture`: null if the item was deleted or has none */
export type RequestedPiece = {
  itemId: string
  name: string
  color: string
  cents: Cents
  state: 'requested' | 'sold' | 'removed'
  isInShop: boolean
  picture: PictureView | null
}
/** Consecutive messages, with the oldest first. [S-164] */
export type MessagePage = { messages: Message[]; hasEarlier: boolean }
export type OrderItem = { id: string; name: string; priceCents: number; isSold: boolean }
/** asked: the customer's open order contains the item; closed: the order is closed; new: neither. */
export type RequestState = 'new' | 'asked' | 'closed'
export type ReadReceipt = { reader: string; seq: number }

export type SendRefusal = 'not-found' | 'closed' | 'no-reply' | 'too-long' | 'too-many-pictures' | 'pictures-lost'
export type CloseRefusal = 'not-found' | 'closed' | 'no-reply' | 'failed'
export type ReopenRefusal = 'not-found' | 'open' | 'no-reply' | 'failed'
export type RemoveRefusal = 'not-found' | 'already-sold' | 'closed' | 'failed'
export type UndoRefusal = 'undone' | 'numbered' | 'not-numbered' | 'canceled' | 'is-cancellation'

export const isUnread = (message: Message, reader: string, mark: number): boolean => message.seq > mark && message.sender !== reader

/** The server and the owner's buttons use the same rule to decide whether she may reply; the customer may always write. [S-304] */
export function replyBlockedReason(order: { isClosed: boolean; fromContactPage: boolean }): 'closed' | 'no-reply' | null {
  if (order.fromContactPage) return 'no-reply'
  return order.isClosed ? 'closed' : null
}

/** Returns the name, the part of the email address before "@", or "Guest". [S-009, S-118] */
export const customerName = (user: Pick<Writer, 'name' | 'email'>): string => user.name.trim() || user.email.split('@')[0] || 'Guest'

/** Returns at least four digits, such as "0007". [S-190] */
export const invoiceNumber = (number: number): string => String(number).padStart(4, '0')

/** A receipt's key is its tag, or the sale's id if it has none; URLs and tickets contain it. */
export const receiptKey = (sale: { id: string; receiptTag: string | null }): string => sale.receiptTag || sale.id
