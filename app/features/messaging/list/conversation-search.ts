import { storableText } from '#lib/text/storable-text.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'

export const FILTERS = ['all', 'unread', 'requests'] as const
type ConversationFilter = (typeof FILTERS)[number]

export type ListCursor = { at: number; id: string }

export type ConversationSearch = {
  text: string
  shown: ConversationFilter
  behind: ListCursor | null
}

const MAX_SEARCH_LENGTH = 200
const MAX_WORDS = 6

export function parseConversationSearch(params: URLSearchParams) {
  const [, at, id] = /^(\d{1,15})~([^\0]{1,200})$/.exec(params.get('behind') ?? '') ?? []
  return {
    text: Array.from(storableText(params.get('q') ?? ''))
      .slice(0, MAX_SEARCH_LENGTH)
      .join(''),
    shown: FILTERS.find((filter) => filter === params.get('show')) ?? 'all',
    behind: at !== undefined && id?.isWellFormed() ? { at: Number(at), id } : null,
  }
}

export function conversationQuery({ text, shown, behind }: ConversationSearch) {
  const params = new URLSearchParams()
  if (text.trim() !== '') params.set('q', text.trim())
  if (shown !== 'all') params.set('show', shown)
  if (behind) params.set('behind', `${behind.at}~${behind.id}`)
  return params.size === 0 ? '' : `?${params.toString()}`
}

export const conversationSearchWords = (text: string) =>
  [...new Set(normalizeForSearch(text).split(/\s+/))].filter(Boolean).slice(0, MAX_WORDS)
