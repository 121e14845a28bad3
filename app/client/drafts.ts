import { type RefObject, useLayoutEffect } from 'react'

/** Stores unsent texts as drafts in `localStorage`, separately for each user and each conversation, item, offer, address or testimony ticket, and for the contact form. A draft stays stored when the login session ends and the user must log in again. [S-171] */
export const STORAGE_PREFIX = 'unsent:'
const keyOf = (userId: string, place: string) => `${STORAGE_PREFIX}draft:${userId}:${place}`

/** Calls `act`, which accesses the browser's storage. Returns null if the browser refuses the access. */
export function tryStorage<T>(act: () => T): T | null {
  try {
    return act()
  } catch {
    return null
  }
}

/** `place` identifies the conversation, item, offer, address or testimony ticket to which the draft belongs. */
export const readDraft = (userId: string, place: string): string =>
  tryStorage(() => localStorage.getItem(keyOf(userId, place))) ?? ''

export function saveDraft(userId: string, place: string, text: string): void {
  const key = keyOf(userId, place)
  tryStorage(() => (text ? localStorage.setItem(key, text) : localStorage.removeItem(key)))
}

type TextField = HTMLInputElement | HTMLTextAreaElement

/** If the field still contains `saved`, puts the stored draft into it. Otherwise the user typed before hydration, and this text becomes the draft. Does nothing while `userId` is null. */
export function useStoredDraft(
  fieldRef: RefObject<TextField | null>,
  userId: string | null,
  place: string,
  saved = '',
): void {
  useLayoutEffect(() => {
    if (userId === null || !fieldRef.current) return
    if (fieldRef.current.value === saved) fieldRef.current.value = readDraft(userId, place) || saved
    else saveDraft(userId, place, fieldRef.current.value)
  }, [fieldRef, userId, place, saved])
}

const deleteStoredDrafts = () =>
  void tryStorage(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(STORAGE_PREFIX)) localStorage.removeItem(key)
  })

const openChannel = () => tryStorage(() => new BroadcastChannel('drafts'))

/** Deletes all drafts after a logout, so that the next person who uses the browser finds no drafts. */
export function deleteDrafts(): void {
  deleteStoredDrafts()
  const channel = openChannel()
  channel?.postMessage('forget')
  channel?.close()
}

export function onDraftsDeleted(listener: () => void): () => void {
  const channel = openChannel()
  channel?.addEventListener('message', () => {
    deleteStoredDrafts()
    listener()
  })
  return () => channel?.close()
}
