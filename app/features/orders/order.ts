/** Contains the rules of conversations and orders that server and browser share. */
import type { OfferState, ParcelTable, QueueStep } from '#db/schema-agreements.ts'
import type { Cents } from '#app/features/pricing/money.ts'
import type { OfferPayment } from './offer-payment.ts'
import type { PictureView } from '#app/ui/picture.tsx'

export const MAX_MESSAGE_LENGTH = 10_000
/** Browsers send a line break in a form as "\r\n". This function turns each line break into "\n". */
export const withPlainBreaks = (text: string): string => text.replaceAll('\r\n', '\n')

export type Writer = { id: string; name: string; email: string; photoURL: string }
/** `from` and `to` are the positions of the link in the text, as for String.slice. */
export type MessageLink = { from: number; to: number; href: string }
export type Message = {
  seq: number
  id: string
  message: string
  sender: string
  createdAt: number
  links?: MessageLink[]
  /** A picture is null if it was deleted together with the guest who sent it. */
  pictures?: readonly (PictureView | null)[]
  /** present only if the message belongs to an order request */
  request?: RequestedPiece
  /** present only if the owner sent an offer with the message */
  offer?: Offer
}
/** `cents` is the price of one piece. `itemId` is empty for a line that the owner typed, such as an engraved tag. */
export type OfferLine = {
  itemId: string
  name: string
  color: string
  notes: string
  quantity: number
  cents: Cents
}
/** `validUntil` is the first millisecond at which the customer can no longer accept the offer. `readyBy` is a day such as '2026-03-04', or empty. */
export type Offer = {
  id: string
  state: OfferState
  lines: OfferLine[]
  shippingCents: Cents
  isShipped: boolean
  depositCents: Cents
  /** the code of the credit that lowers the price by `creditCents`, or null */
  creditCode: string | null
  creditCents: Cents
  /** the sale prices of the sold pieces, less their agreed prices; 0 if the owner sold all of them at the agreed prices */
  soldDifferenceCents: Cents
  readyBy: string
  validUntil: number
  /** true if a piece of an accepted offer is sold, so that the owner cannot cancel the agreement */
  isSold: boolean
  /** for an accepted offer, the step of each line by its number, which counts from 1 */
  steps?: Record<number, QueueStep> | undefined
  /** present if the owner uses payments and the offer is accepted, or if something was paid */
  payment?: OfferPayment
  /** present if the customer has given an address or the owner has shipped the parcel */
  parcel?: Parcel | undefined
}
/** `address` has one or more lines. `trackingUrl` is a link that the owner typed, because the shop does not know the carrier. */
export type Parcel = Omit<ParcelTable, 'offerId'>
/** The item at the time when the customer requested it, and the state of the request. `cents` is the price that she saw, or the sale price of a sold item. `picture` is null if the item was deleted or has no picture. */
export type RequestedPiece = {
  itemId: string
  name: string
  color: string
  cents: Cents
  state: 'requested' | 'agreed' | 'sold' | 'removed'
  isInShop: boolean
  picture: PictureView | null
}
/** A page contains consecutive messages, the oldest first. [S-164] */
export type MessagePage = { messages: Message[]; hasEarlier: boolean }
export type OrderItem = { id: string; name: string; priceCents: number; isSold: boolean }
/** The state of an item for a customer: 'asked' if her open order contains the unsold item, 'closed' if her order is closed, and otherwise 'new'. */
export type RequestState = 'new' | 'asked' | 'closed'
export type ReadReceipt = { reader: string; seq: number }

export type SendRefusal =
  | 'not-found'
  | 'closed'
  | 'no-reply'
  | 'too-long'
  | 'too-many-pictures'
  | 'pictures-lost'
export type CloseRefusal = 'not-found' | 'closed' | 'no-reply' | 'failed'
export type ReopenRefusal = 'not-found' | 'open' | 'no-reply' | 'failed'
export type RemoveRefusal = 'not-found' | 'already-sold' | 'agreed' | 'closed' | 'failed'
export type UndoRefusal =
  | 'undone'
  | 'agreed-again'
  | 'numbered'
  | 'not-numbered'
  | 'canceled'
  | 'is-cancellation'

export const isUnread = (message: Message, reader: string, mark: number): boolean =>
  message.seq > mark && message.sender !== reader

/** Returns why the owner cannot reply, or null if she can. The owner's buttons and the server use this function. A customer can always write. [S-304] */
export function replyBlockedReason(order: {
  isClosed: boolean
  fromContactPage: boolean
}): 'closed' | 'no-reply' | null {
  if (order.fromContactPage) return 'no-reply'
  return order.isClosed ? 'closed' : null
}

/** The id in an order of a line that the owner typed in an offer. Such a line has no item. */
export const typedLineId = (offerId: string, position: number): string =>
  `offer-${offerId}-${position}`
/** Returns the id of an offer's line in the order. */
export const orderItemId = ({
  offerId,
  itemId,
  position,
}: {
  offerId: string
  itemId: string
  position: number
}): string => itemId || typedLineId(offerId, position)
export const isTypedLine = (itemId: string): boolean => itemId.startsWith('offer-')

/** Returns the customer's name. If it is empty, returns the part of the email address before "@", or "Guest" if there is no email address. [S-009, S-118] */
export const customerName = (user: Pick<Writer, 'name' | 'email'>): string =>
  user.name.trim() || user.email.split('@')[0] || 'Guest'

type Addressee = Pick<Writer, 'name' | 'email'> & { emailVerified: unknown }
/** Returns the customer's name for an email. While her address is not confirmed, this is not the typed name: a stranger may have registered another person's address and typed an advertisement as the name. [S-425] */
export const greetingName = ({ name, email, emailVerified }: Addressee): string =>
  customerName({ name: emailVerified ? name : '', email })

/** Formats an invoice number with at least four digits, such as "0007". [S-190] */
export const invoiceNumber = (number: number): string => String(number).padStart(4, '0')

/** Returns the key of a receipt in URLs and testimony tickets: the receipt tag, or the id of the sale if the sale has no tag. */
export const receiptKey = (sale: { id: string; receiptTag: string | null }): string =>
  sale.receiptTag || sale.id
