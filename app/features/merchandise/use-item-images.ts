/** The images of the item form for its views. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { showToast } from '#app/ui/toast-store.ts'
import type { Item } from '#app/features/catalog/catalog.ts'
import { discardUpload, sendPicture } from '#app/features/uploads/send-picture.ts'
import { shrinkPicture } from '#app/features/uploads/shrink-picture.ts'
import { storedImages } from './editor-images.ts'
import { openItemImages, type Ways } from './item-images.ts'

const ADDRESS = '/manage/item-picture'
const browserWays: Ways = {
  shrink: shrinkPicture,
  send: ({ categoryId, ...sending }) => sendPicture({ ...sending, address: ADDRESS, fields: { categoryId } }),
  discard: (url) => discardUpload(ADDRESS, { url }),
  tell: showToast,
}

export type UseItemImages = ReturnType<typeof useItemImages>

/** Uploads begin as soon as there is a category ('': none yet); `item` counts when the form opens. */
export function useItemImages({ item, categoryId }: { item: Item | null; categoryId: string }) {
  const [editor] = useState(() => openItemImages(storedImages(item), browserWays))
  const images = useSyncExternalStore(editor.subscribe, editor.read, editor.read)
  // Uploads live outside React: they begin with the category and end with the form.
  useEffect(() => editor.setCategory(categoryId), [editor, categoryId])
  useEffect(() => () => editor.close(), [editor])

  const fresh = images.filter(({ upload }) => upload !== null)
  const pending = fresh.filter(({ upload }) => upload?.state === 'pending').length
  const isUploading = pending > 0 && categoryId !== ''
  return {
    ...editor,
    images,
    hasCategory: categoryId !== '',
    isUploading,
    /** one line for beside the button; null when nothing is under way */
    progress: isUploading ? `Uploading image ${fresh.length - pending + 1} of ${fresh.length}…` : null,
  }
}
