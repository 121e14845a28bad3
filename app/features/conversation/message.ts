import type { Cents } from '#pricing/money.ts'
import type { ImageView } from '#ui/responsive-image.tsx'
import type { Offer } from './agreement.ts'

export const MAX_MESSAGE_LENGTH = 10_000

/** Forms send each line break as "\r\n". */
export const withPlainBreaks = (text: string) => text.replaceAll('\r\n', '\n')

export type MessageLink = { from: number; to: number; href: string }
export type Message = {
  seq: number
  id: string
  message: string
  sender: string
  createdAt: number
  links?: MessageLink[]
  images?: readonly (ImageView | null)[]
  request?: RequestedPiece
  offer?: Offer
}
export type RequestedPiece = {
  itemId: string
  name: string
  color: string
  quantity: number
  cents: Cents
  state: 'requested' | 'agreed' | 'sold' | 'removed' | 'replaced'
  isInShop: boolean
  image: ImageView | null
}
export type MessagePage = { messages: Message[]; hasEarlier: boolean }
export type ReadReceipt = { reader: string; seq: number }

export const isUnread = (message: Message, reader: string, mark: number) =>
  message.seq > mark && message.sender !== reader
