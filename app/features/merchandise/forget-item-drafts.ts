/** Who logs out leaves no drafts of items for the next person at the same browser. Apart, so that nobody else loads more than this. */

export const DRAFTS = 'item-drafts'

export function forgetItemDrafts(): void {
  const opening = globalThis.indexedDB?.open(DRAFTS)
  if (!opening) return
  // There were none: none are made.
  opening.onupgradeneeded = () => opening.transaction?.abort()
  opening.onerror = (event) => event.preventDefault()
  opening.onsuccess = () => {
    const db = opening.result
    if (db.objectStoreNames.contains(DRAFTS)) db.transaction(DRAFTS, 'readwrite').objectStore(DRAFTS).clear()
    db.close()
  }
}
