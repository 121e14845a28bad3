import { useEffect, useState, useSyncExternalStore } from 'react'
import { smallestUrl } from '#app/ui/picture.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import type { Item } from '#app/features/catalog/catalog.ts'
import {
  createImageUploadQueue,
  mayRetry,
  newUpload,
  type UploadAdapters,
  discardUpload,
  resizeImage,
  uploadImage,
  type UploadRequest,
} from '#app/features/images/image-upload-queue.ts'
import { uploadKey, type EditorImage } from '#app/features/images/picture-upload.ts'
import { itemTexts } from './item-input.ts'

export const STOPPED_TEXT = 'Stopped. It is sent when you save.'

export const storedImages = (item: Item | null): EditorImage[] =>
  (item?.pictures ?? []).map(({ id, picture, colorIds, isAvailable }, index) => ({
    index,
    id,
    file: null,
    src: smallestUrl(picture),
    colors: colorIds,
    isAvailable,
    upload: null,
  }))

let ids = 0
const newImage = (file: File): EditorImage => ({ ...newUpload(file), id: `new-${++ids}`, colors: [], isAvailable: true })

/** An image of a draft: its preview is made again, and it is uploaded unless it was. */
function restoredImage(kept: EditorImage): EditorImage {
  if (!kept.file) return kept
  const fresh = newImage(kept.file)
  const upload = kept.upload?.state === 'uploaded' ? kept.upload : fresh.upload
  return { ...fresh, colors: kept.colors, isAvailable: kept.isAvailable, upload }
}

function appendImages(form: FormData, images: readonly EditorImage[]): void {
  form.delete('files')
  form.delete('picture')
  for (const { id, upload, colors, isAvailable } of images) {
    const key = upload?.state === 'uploaded' ? uploadKey(upload.id) : id
    form.append('picture', key)
    form.delete(`color:${key}`)
    for (const color of colors) form.append(`color:${key}`, color)
    if (isAvailable) form.set(`available:${key}`, 'on')
    else form.delete(`available:${key}`)
  }
}

export type ItemUpload = Omit<UploadRequest, 'address' | 'fields'> & { categoryId: string }
type ItemImageAdapters = Omit<UploadAdapters, 'upload'> & {
  upload: (request: ItemUpload) => ReturnType<UploadAdapters['upload']>
  onError: (text: string) => void
}

export function createItemImages(first: readonly EditorImage[], { onError, ...adapters }: ItemImageAdapters) {
  let category = ''
  const upload: UploadAdapters['upload'] = (request) => adapters.upload({ ...request, categoryId: category })
  const queue = createImageUploadQueue<EditorImage>({ ...adapters, upload }, itemTexts.uploadFailed, onError)
  queue.set(first)
  const { subscribe, read, retry, close } = queue

  return {
    subscribe,
    read,
    retry,
    close,
    /** '': none yet, and uploads wait. S-096: what is stored already stays where it is. */
    setCategory(id: string) {
      category = id
      queue.setMayUpload(id !== '')
    },
    add: (files: readonly File[]) => queue.add(files.map(newImage)),
    restore: (kept: readonly EditorImage[]) => queue.replace(kept.map(restoredImage)),
    change: (id: string, part: Partial<Pick<EditorImage, 'colors' | 'isAvailable'>>) => queue.change(id, part),
    move(from: number, to: number) {
      const moved = read()[from]
      if (moved && read()[to]) queue.set(read().toSpliced(from, 1).toSpliced(to, 0, moved))
    },
    remove: (id: string) => queue.remove((image) => image.id === id),
    cancel: (id: string) => queue.cancel(id, STOPPED_TEXT),
    /** Uploads that the shop has no longer: settling sends those again whose file is at hand. */
    markLost(lost: readonly string[]) {
      for (const { id, upload } of read())
        if (upload?.state === 'uploaded' && lost.includes(uploadKey(upload.id)))
          queue.change(id, { upload: { state: 'error', text: itemTexts.uploadLost } })
    },
    /** MERCH-33: waits for all uploads, unless they wait for a category; those that failed on the way or were stopped are tried once more. */
    async settle(): Promise<{ ok: true } | { ok: false; text: string }> {
      for (const image of read()) if (mayRetry(image)) retry(image.id)
      await queue.settled(() => category !== '')
      const left = read().find(({ upload }) => upload !== null && upload.state !== 'uploaded')
      if (!left) return { ok: true }
      return { ok: false, text: left.upload?.state === 'error' ? left.upload.text : itemTexts.uploadFailed }
    },
    appendTo: (form: FormData) => appendImages(form, read()),
    discard() {
      queue.remove(() => true)
      queue.set(first)
    },
  }
}

const ADDRESS = '/manage/item-picture'
const browserAdapters: ItemImageAdapters = {
  resize: resizeImage,
  upload: ({ categoryId, ...request }) => uploadImage({ ...request, address: ADDRESS, fields: { categoryId } }),
  discard: ({ url }) => discardUpload(ADDRESS, { url }),
  onError: showToast,
}

export type UseItemImages = ReturnType<typeof useItemImages>

/** Uploads begin as soon as there is a category ('': none yet); `item` counts when the form opens. */
export function useItemImages({ item, categoryId }: { item: Item | null; categoryId: string }) {
  const [editor] = useState(() => createItemImages(storedImages(item), browserAdapters))
  const images = useSyncExternalStore(editor.subscribe, editor.read, editor.read)
  // Uploads live outside React: they begin with the category and end with the form.
  useEffect(() => editor.setCategory(categoryId), [editor, categoryId])
  useEffect(() => () => editor.close(), [editor])

  const uploads = images.filter(({ upload }) => upload !== null)
  const pending = uploads.filter(({ upload }) => upload?.state === 'pending').length
  const isUploading = pending > 0 && categoryId !== ''
  return {
    ...editor,
    images,
    hasCategory: categoryId !== '',
    progress: isUploading ? `Uploading image ${uploads.length - pending + 1} of ${uploads.length}…` : null,
  }
}
