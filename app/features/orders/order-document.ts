/** The document shape of the specification's section 3, derived from the rows (S-134). */
import type { Conversation, Message, ReadMark, Writer } from './order.ts'

export type MessageDocument = { id: string; message: string; sender: string; createdAt: number; read: string[] }
export type OrderDocument = {
  id: string
  /** price in dollars */
  items: { id: string; name: string; price: number; isSold?: true }[]
  messages: MessageDocument[]
  user: Writer
  createdAt: number
  receiptTag?: string
  isClosed: boolean
  fromContactPage?: boolean
  /** contact conversations carry their sender at the top as well (S-032) */
  name?: string
  email?: string
  photoURL?: string
}

/** DATA-038, CHAT-11, CHAT-12: the sender and everyone whose mark has reached the message, each once. */
export const readersOf = (message: Message, marks: readonly ReadMark[]): string[] => [
  ...new Set([message.sender, ...marks.filter((mark) => mark.seq >= message.seq).map((mark) => mark.reader)]),
]

/** DATA-034 to DATA-038 */
export const messageDocument = (message: Message, marks: readonly ReadMark[]): MessageDocument => ({
  id: message.id,
  message: message.message,
  sender: message.sender,
  createdAt: message.createdAt,
  read: readersOf(message, marks),
})

type Fields = Pick<Conversation, 'id' | 'items' | 'user' | 'isClosed' | 'createdAt' | 'receiptTag' | 'fromContactPage'>

/**
 * DATA-018 to DATA-038; a closed order keeps id, items, messages, user and isClosed only (MSG-11), and its time (S-079). `messages`: all of
 * them, or where they are read from while they are written (028).
 */
export function orderFields<Messages>(order: Fields, messages: Messages): Omit<OrderDocument, 'messages'> & { messages: Messages } {
  const kept = {
    id: order.id,
    items: order.items.map(({ id, name, priceCents, isSold }) => ({
      id,
      name,
      price: priceCents / 100,
      ...(isSold && { isSold: true as const }),
    })),
    messages,
    user: order.user,
    isClosed: order.isClosed,
    createdAt: order.createdAt,
  }
  if (order.isClosed) return kept
  const { name, email, photoURL } = order.user
  return {
    ...kept,
    ...(order.receiptTag && { receiptTag: order.receiptTag }),
    fromContactPage: order.fromContactPage,
    ...(order.fromContactPage && { name, email, photoURL }),
  }
}
