/** What is begun and what is not sent, kept in the browser by reader and conversation: it outlives the page and the tab, but not logging out. Browser only. */
import { UNSENT } from '#app/features/orders/request-draft.ts'
import type { Unsent, UnsentStore } from './outgoing.ts'

const DRAFT = `${UNSENT}draft:`
const MESSAGE = `${UNSENT}message:`
/** Milliseconds: longer ago nobody remembers what was meant. */
const KEPT = 30 * 24 * 3_600_000

/** A browser may refuse its storage; then the text lives as long as its page. */
function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

/** S-171 */
export const readDraft = (viewerId: string, orderId: string): string =>
  attempt(() => localStorage.getItem(`${DRAFT}${viewerId}:${orderId}`)) ?? ''

export function keepDraft(viewerId: string, orderId: string, text: string): void {
  const key = `${DRAFT}${viewerId}:${orderId}`
  attempt(() => (text ? localStorage.setItem(key, text) : localStorage.removeItem(key)))
}

/** Each message has an entry of its own: two tabs never write over each other. */
export function unsentStore(viewerId: string, orderId: string): UnsentStore {
  const begin = `${MESSAGE}${viewerId}:${orderId}:`
  return {
    read: () =>
      attempt(() => {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(begin))
        return keys.flatMap((key) => {
          const one = attempt(() => JSON.parse(localStorage.getItem(key)!) as Unsent)
          if (typeof one?.message === 'string' && key === begin + one.messageId && Date.now() - one.at < KEPT) return [one]
          localStorage.removeItem(key)
          return []
        })
      }) ?? [],
    keep: (one) => void attempt(() => localStorage.setItem(begin + one.messageId, JSON.stringify(one))),
    drop: (messageId) => void attempt(() => localStorage.removeItem(begin + messageId)),
  }
}
