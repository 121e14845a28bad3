/** The URL contains the filter and the search text of the conversation list, so that the list works without JavaScript. */
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'

export const FILTERS = ['all', 'unread', 'requests'] as const
export type ConversationFilter = (typeof FILTERS)[number]

/** Identifies the last conversation on a page of the list. The next page of the list begins after this conversation. */
export type ListCursor = { at: number; id: string }

export type ConversationSearch = {
  text: string
  shown: ConversationFilter
  /** the last conversation of the previous page, or null for the first page */
  behind: ListCursor | null
}

const MAX_SEARCH_LENGTH = 200
const MAX_WORDS = 6

/** Reads a query such as `?q=clara&show=unread&behind=1772625600000~uid`, and ignores invalid values. */
export function parseConversationSearch(params: URLSearchParams): ConversationSearch {
  const [, at, id] = /^(\d{1,15})~([^\0]{1,200})$/.exec(params.get('behind') ?? '') ?? []
  return {
    text: Array.from((params.get('q') ?? '').replaceAll('\0', '').toWellFormed())
      .slice(0, MAX_SEARCH_LENGTH)
      .join(''),
    shown: FILTERS.find((known) => known === params.get('show')) ?? 'all',
    behind: at !== undefined && id?.isWellFormed() ? { at: Number(at), id } : null,
  }
}

export function conversationQuery({ text, shown, behind }: ConversationSearch): string {
  const params = new URLSearchParams()
  if (text.trim() !== '') params.set('q', text.trim())
  if (shown !== 'all') params.set('show', shown)
  if (behind) params.set('behind', `${behind.at}~${behind.id}`)
  return params.size === 0 ? '' : `?${params.toString()}`
}

/** Returns the normalized words of a search text. A conversation matches if it contains all these words. */
export const conversationSearchWords = (text: string): string[] =>
  [...new Set(normalizeForSearch(text).split(/\s+/))]
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
