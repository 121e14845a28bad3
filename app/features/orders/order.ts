/** Conversations and the orders in them: what they are, what may happen to them, and their texts, misspellings of section 8 included. */
import type { PictureView } from '#app/ui/picture.tsx'

export const MAX_MESSAGE = 10_000
export const TOO_LONG = `A message holds at most ${MAX_MESSAGE.toLocaleString('en-US')} characters. Please shorten it; nothing is lost.`
/** A form without script sends each line break as two characters; a message keeps one, so that both count and read alike. */
export const withPlainBreaks = (text: string): string => text.replaceAll('\r\n', '\n')
/** MSG-13, S-078 */
export const CLOSED = 'Order is Closed'
/** MSG-17 */
export const NO_REPLY = 'No Reply'

export type Writer = { id: string; name: string; email: string; photoURL: string }
/** A part of a message's text that leads somewhere; places count as in String.slice. */
export type MessageLink = { from: number; to: number; href: string }
export type Message = {
  seq: number
  id: string
  message: string
  sender: string
  createdAt: number
  links?: MessageLink[]
  /** null: gone, with the guest who sent it */
  pictures?: readonly (PictureView | null)[]
}
/** Some messages of a conversation without a gap, oldest first (S-164). */
export type MessagePage = { messages: Message[]; hasEarlier: boolean }
export type OrderItem = { id: string; name: string; priceCents: number; isSold: boolean }
/** What a customer's order means for an item's page: it holds the item, it is closed, or neither. */
export type Asked = 'new' | 'asked' | 'closed'
export type ReadMark = { reader: string; seq: number }

export type SendRefusal = 'not-found' | 'closed' | 'no-reply' | 'too-long' | 'too-many-pictures' | 'pictures-lost'
export type CloseRefusal = 'not-found' | 'closed' | 'no-reply' | 'failed'
export type RemoveRefusal = 'not-found' | 'already-sold' | 'closed' | 'failed'

/** {message} of MSG-15 and MSG-22: short plain reasons (S-129). */
export const reasons: Record<CloseRefusal | RemoveRefusal, string> = {
  'not-found': 'it is no longer there',
  closed: 'it is closed already',
  'no-reply': 'it came from the contact page',
  'already-sold': 'it is sold',
  failed: 'the shop could not save it',
}

/** CHAT-09, S-076: newer than the reader's mark and written by somebody else. */
export const isUnread = (message: Message, reader: string, mark: number): boolean => message.seq > mark && message.sender !== reader

/** What may be done in a conversation; buttons appear and the server refuses by the same word. */
export function whyNoReply(order: { isClosed: boolean; fromContactPage: boolean }): 'closed' | 'no-reply' | null {
  if (order.fromContactPage) return 'no-reply'
  return order.isClosed ? 'closed' : null
}

/** S-009, S-118: the name, else the e-mail's part before "@", else "Guest". */
export const nameOf = (user: Pick<Writer, 'name' | 'email'>): string => user.name || user.email.split('@')[0] || 'Guest'

/** ITEM-33 */
export const REQUEST_SENT = 'Order Request Sent!'
/** ITEM-34 */
export const REQUEST_FAILED = 'An Error Occured while Sending Order Request'
/** ITEM-35 */
export const REQUEST_SIGNED_OUT = 'Please Login to Submit an Order Request'

export const NOT_SENT = 'This message could not be sent.'

/** MSG-14 */
export const ORDER_CLOSED = 'Order Successfully Closed'
/** MSG-15 */
export const closeError = (refusal: CloseRefusal): string => `There was an error Closing the Order: ${reasons[refusal]}`
/** MSG-21 */
export const RECORD_DELETED = 'Record Successfully Deleted'
/** MSG-22 */
export const deleteError = (refusal: 'not-found' | 'failed'): string => `There was an error Deleting the Record: ${reasons[refusal]}`

/** MSG-33, MSG-34, S-088: in this order */
export const SALE_TOASTS = ['Successfully Added Sales Record...', 'Sale Completed! Invoice Management will show at Sales']
/** MSG-36 */
const SALE_RECORD_ERROR = 'An Error has Occured while adding Sales Record...'
/** MSG-35 */
const ITEM_STATE_ERROR = 'An Error has Occured while updating Item State'
export const BAD_PRICE = 'Please type a price from 0 to 9,999,999.99, such as 45.50, or leave it blank for the original price.'
type SaleError = { toast: string; error?: string }
/** MSG-35, MSG-36, S-176: the specified text as toast, and beside the item why nothing was sold, where the shop knows it. */
export const saleErrors: Record<'not-found' | 'already-sold' | 'closed' | 'record-failed' | 'item-failed', SaleError> = {
  'record-failed': { toast: SALE_RECORD_ERROR },
  'item-failed': { toast: ITEM_STATE_ERROR },
  'not-found': { toast: ITEM_STATE_ERROR, error: 'This item is no longer in the order.' },
  'already-sold': { toast: ITEM_STATE_ERROR, error: 'This item is sold already.' },
  closed: { toast: ITEM_STATE_ERROR, error: 'This order is closed. A new request of the customer opens it again.' },
}
/** S-084 gives no text for removing: this stands beside the item only when it was refused. */
export const removeError = (refusal: RemoveRefusal): string => `This item could not be removed: ${reasons[refusal]}.`

/** What addresses and testimony tickets call a receipt: its tag, or the sale's id where it has no tag. */
export const receiptKey = (sale: { id: string; receiptTag: string | null }): string => sale.receiptTag || sale.id
