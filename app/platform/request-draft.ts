/** What somebody has begun to write in an order request: kept in her tab until it is sent, also when she has to log in anew. */

const BEGIN = 'order-request:'
export const UNSENT = 'unsent:'
const keyOf = (userId: string, itemId: string) => `${BEGIN}${userId}:${itemId}`

/** A browser may refuse its storage; then the text is only where it was typed. */
function attempt<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

export const readDraft = (userId: string, itemId: string): string => attempt(() => sessionStorage.getItem(keyOf(userId, itemId))) ?? ''

export const keepDraft = (userId: string, itemId: string, text: string): void =>
  void attempt(() => (text ? sessionStorage.setItem(keyOf(userId, itemId), text) : sessionStorage.removeItem(keyOf(userId, itemId))))

/** Chat messages begun or not sent too, which are kept for all tabs (app/features/messaging/send-queue.ts). */
const forget = () =>
  void attempt(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(BEGIN)) sessionStorage.removeItem(key)
    for (const key of Object.keys(localStorage)) if (key.startsWith(UNSENT)) localStorage.removeItem(key)
  })

/** Reaches every tab of the shop in this browser, this one included; older browsers have none. */
const openChannel = () => attempt(() => new BroadcastChannel('drafts'))

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
