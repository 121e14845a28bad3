import { type RefObject, useLayoutEffect } from 'react'

/** The keys of unsent texts, which stay when a login session expires, begin with this. [S-171] */
export const STORAGE_PREFIX = 'unsent:'
const keyOf = (userId: string, place: string) => `${STORAGE_PREFIX}draft:${userId}:${place}`

export function tryStorage<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

export const readDraft = (userId: string, place: string) =>
  tryStorage(() => localStorage.getItem(keyOf(userId, place))) ?? ''

export function saveDraft(userId: string, place: string, text: string) {
  const key = keyOf(userId, place)
  tryStorage(() => (text ? localStorage.setItem(key, text) : localStorage.removeItem(key)))
}

type TextField = HTMLInputElement | HTMLTextAreaElement

export function useStoredDraft(
  fieldRef: RefObject<TextField | null>,
  userId: string | null,
  place: string,
  saved = '',
) {
  useLayoutEffect(() => {
    if (userId === null || !fieldRef.current) return
    if (fieldRef.current.value === saved) fieldRef.current.value = readDraft(userId, place) || saved
    else saveDraft(userId, place, fieldRef.current.value)
  }, [fieldRef, userId, place, saved])
}

export const deleteStoredDrafts = () =>
  void tryStorage(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(STORAGE_PREFIX)) localStorage.removeItem(key)
    }
  })

const openChannel = () => tryStorage(() => new BroadcastChannel('drafts'))

/** The next person who uses the browser must find no drafts. */
export function deleteDrafts() {
  deleteStoredDrafts()
  const channel = openChannel()
  channel?.postMessage('forget')
  channel?.close()
}

export function onDraftsDeleted(listener: () => void) {
  const channel = openChannel()
  channel?.addEventListener('message', () => {
    deleteStoredDrafts()
    listener()
  })
  return () => channel?.close()
}
