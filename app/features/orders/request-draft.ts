/** What somebody has begun to write in an order request: kept in her tab until it is sent, also when she has to log in anew. */

const keyOf = (userId: string, itemId: string) => `order-request:${userId}:${itemId}`

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
