/** What of the owner's list of conversations is shown: it stands in the address, so that it works without script and outlives each step. */
import { fold } from '#app/platform/fold.ts'

/** S-177: all of them, those with something unread, those with pieces that are asked for. */
export const SHOWN = ['all', 'unread', 'requests'] as const
export type Shown = (typeof SHOWN)[number]

/** The list goes on behind this conversation: the time of its last write, and its id. */
export type ListCut = { createdAt: number; id: string }

export type ConversationSearch = {
  text: string
  shown: Shown
  /** null: from the newest on */
  behind: ListCut | null
}

const LONGEST_SEARCH = 200
const MOST_WORDS = 6

/** Whatever the address holds is read without complaint: `?q=clara&show=unread&behind=1772625600000~uid` */
export function readConversationSearch(params: URLSearchParams): ConversationSearch {
  const [, createdAt, id] = /^(\d{1,15})~([^\0]{1,200})$/.exec(params.get('behind') ?? '') ?? []
  return {
    text: Array.from((params.get('q') ?? '').replaceAll('\0', '').toWellFormed())
      .slice(0, LONGEST_SEARCH)
      .join(''),
    shown: SHOWN.find((known) => known === params.get('show')) ?? 'all',
    behind: createdAt !== undefined && id?.isWellFormed() ? { createdAt: Number(createdAt), id } : null,
  }
}

export function conversationQuery({ text, shown, behind }: ConversationSearch): string {
  const params = new URLSearchParams()
  if (text.trim() !== '') params.set('q', text.trim())
  if (shown !== 'all') params.set('show', shown)
  if (behind) params.set('behind', `${behind.createdAt}~${behind.id}`)
  return params.size === 0 ? '' : `?${params.toString()}`
}

/** The words that must all be found, folded. */
export const wordsOf = (text: string): string[] => [...new Set(fold(text).split(/\s+/))].filter((word) => word !== '').slice(0, MOST_WORDS)
