/** Conversations and the orders in them: what they are, what may happen to them, and the texts of refusals. */

import type { MessagePicture } from '#app/features/conversations/message-pictures.ts'

/** S-133: characters of one message. */
export const MAX_MESSAGE = 10_000
export const TOO_LONG = `A message holds at most ${MAX_MESSAGE.toLocaleString('en-US')} characters. Please shorten it; nothing is lost.`
/** A form without script sends each line break as two characters; a message keeps one, so that both count and read alike. */
export const withPlainBreaks = (text: string): string => text.replaceAll('\r\n', '\n')
/** MSG-13, S-078 */
export const CLOSED = 'Order is Closed'
/** MSG-17 */
export const NO_REPLY = 'No Reply'
export const PLACEHOLDER_PHOTO = '/placeholder-photo.svg'

export type Writer = { id: string; name: string; email: string; photoURL: string }
/** A part of a message's text that leads somewhere; places count as in String.slice. */
export type MessageLink = { from: number; to: number; href: string }
export type Message = {
  seq: number
  id: string
  message: string
  sender: string
  createdAt: number
  /** none unless it has some */
  links?: MessageLink[]
  pictures?: readonly MessagePicture[]
}
/** Some messages of a conversation without a gap, oldest first (S-164). */
export type MessagePage = { messages: Message[]; hasEarlier: boolean }
export type OrderItem = { id: string; name: string; priceCents: number; isSold: boolean }
/** What a customer's order means for an item's page: it holds the item, it is closed, or neither. */
export type Asked = 'new' | 'asked' | 'closed'
export type ReadMark = { reader: string; seq: number }

export type Conversation = MessagePage & {
  id: string
  user: Writer
  items: OrderItem[]
  /** newer messages than those of this page exist: it was asked for with `before` */
  hasLater: boolean
  readMarks: ReadMark[]
  receiptTag: string | null
  isClosed: boolean
  fromContactPage: boolean
  /** the account of the customer is gone: a reply reaches nobody (S-004) */
  isAbandoned: boolean
  /** time of the last write */
  createdAt: number
  /** of the newest message that the reader has before her; 0 without one */
  lastSeq: number
  /** for the one who reads it (CHAT-09, S-076) */
  unread: number
}

/** A line of the owner's list. */
export type ConversationLine = {
  id: string
  user: Writer
  isClosed: boolean
  fromContactPage: boolean
  createdAt: number
  /** beginning of the newest message; null before the first */
  lastMessage: string | null
  lastSender: string | null
  lastAt: number | null
  unread: number
  /** pieces asked for in it and neither sold nor closed */
  pieces: number
}

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
export function whyNoReply(order: Pick<Conversation, 'isClosed' | 'fromContactPage'>): 'closed' | 'no-reply' | null {
  if (order.fromContactPage) return 'no-reply'
  return order.isClosed ? 'closed' : null
}

/** S-009, S-118: the name, else the e-mail's part before "@", else "Guest". */
export const nameOf = (user: Pick<Writer, 'name' | 'email'>): string => user.name || user.email.split('@')[0] || 'Guest'
