/** What is begun or not sent stays in this browser, by writer and place, also when she has to log in anew (S-171, 024). */
export const UNSENT = 'unsent:'
const keyOf = (userId: string, place: string) => `${UNSENT}draft:${userId}:${place}`

/** A browser may refuse its storage; then the text is only where it was typed. */
export function tryStorage<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

/** `place`: a conversation, or what is asked for. */
export const readDraft = (userId: string, place: string): string => tryStorage(() => localStorage.getItem(keyOf(userId, place))) ?? ''

export function keepDraft(userId: string, place: string, text: string): void {
  const key = keyOf(userId, place)
  tryStorage(() => (text ? localStorage.setItem(key, text) : localStorage.removeItem(key)))
}

const forget = () =>
  void tryStorage(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(UNSENT)) localStorage.removeItem(key)
  })

/** Reaches every tab of the shop in this browser, this one included; older browsers have none. */
const openChannel = () => tryStorage(() => new BroadcastChannel('drafts'))

/** Who logs out leaves nothing for the next person at the same browser. */
export function forgetDrafts(): void {
  forget()
  const channel = openChannel()
  channel?.postMessage('forget')
  channel?.close()
}

export function onForgotten(listener: () => void): () => void {
  const channel = openChannel()
  channel?.addEventListener('message', () => {
    forget()
    listener()
  })
  return () => channel?.close()
}
