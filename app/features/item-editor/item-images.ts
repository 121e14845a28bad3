import { useEffect, useState, useSyncExternalStore } from 'react'
import { smallestUrl } from '#ui/image-url.ts'
import { showToast } from '#ui/toasts.tsx'
import type { Item } from '#catalog/catalog.ts'
import {
  createImageUploadQueue,
  mayRetry,
  newUpload,
  type UploadAdapters,
  discardUpload,
  resizeImage,
  uploadImage,
  type UploadRequest,
} from '#images/image-upload-queue.ts'
import { uploadKey, type EditorImage } from '#images/image-upload.ts'
import { itemImagesTexts, itemImageTexts, itemTexts } from './texts.ts'

export const storedImages = (item: Item | null): EditorImage[] =>
  (item?.images ?? []).map(({ id, image, colorIds, isAvailable }, index) => ({
    index,
    id,
    file: null,
    src: smallestUrl(image),
    colors: colorIds,
    isAvailable,
    upload: null,
  }))

export type ItemUpload = Omit<UploadRequest, 'address' | 'fields'> & { categoryId: string }
type ItemImageAdapters = Omit<UploadAdapters, 'upload'> & {
  upload: (request: ItemUpload) => ReturnType<UploadAdapters['upload']>
  onError: (text: string) => void
}

export function createItemImages(
  first: readonly EditorImage[],
  { onError, upload, ...adapters }: ItemImageAdapters,
) {
  let categoryId = ''
  const queue = createImageUploadQueue<EditorImage>(
    { ...adapters, upload: (request) => upload({ ...request, categoryId }) },
    itemTexts.uploadFailed,
    onError,
  )
  queue.set(first)
  const { read } = queue

  return {
    ...queue,
    /** Uploads wait while `id` is ''. Stored images stay in the folder of their category. */
    setCategory(id: string) {
      categoryId = id
      queue.setMayUpload(id !== '')
    },
    add: (files: readonly File[]) => queue.add(files.map(newImage)),
    restore: (images: readonly EditorImage[]) => queue.replace(images.map(restoredImage)),
    move(from: number, to: number) {
      const movedImage = read()[from]
      if (movedImage && read()[to]) {
        queue.set(read().toSpliced(from, 1).toSpliced(to, 0, movedImage))
      }
    },
    remove: (id: string) => queue.remove((image) => image.id === id),
    cancel: (id: string) => queue.cancel(id, itemImageTexts.stopped),
    /** `settle` uploads these images again. */
    markLost(lost: readonly string[]) {
      for (const { id, upload } of read()) {
        if (upload?.state === 'uploaded' && lost.includes(uploadKey(upload.id))) {
          queue.change(id, { upload: { state: 'error', text: itemTexts.uploadLost } })
        }
      }
    },
    /** Retries failed uploads, and waits for uploads only if there is a category. */
    async settle(): Promise<{ ok: true } | { ok: false; text: string }> {
      for (const image of read()) if (mayRetry(image)) queue.retry(image.id)
      await queue.settled(() => categoryId !== '')
      const image = read().find(({ upload }) => upload !== null && upload.state !== 'uploaded')
      if (!image) return { ok: true }
      const { upload } = image
      return { ok: false, text: upload?.state === 'error' ? upload.text : itemTexts.uploadFailed }
    },
    appendTo: (form: FormData) => appendImages(form, read()),
    discard() {
      queue.remove(() => true)
      queue.set(first)
    },
  }
}

let ids = 0
const newImage = (file: File): EditorImage => ({
  ...newUpload(file),
  id: `new-${++ids}`,
  colors: [],
  isAvailable: true,
})

function restoredImage(stored: EditorImage): EditorImage {
  if (!stored.file) return stored
  const { colors, isAvailable, upload } = stored
  const image = { ...newImage(stored.file), colors, isAvailable }
  return upload?.state === 'uploaded' ? { ...image, upload } : image
}

function appendImages(form: FormData, images: readonly EditorImage[]) {
  form.delete('files')
  form.delete('image')
  for (const { id, upload, colors, isAvailable } of images) {
    const key = upload?.state === 'uploaded' ? uploadKey(upload.id) : id
    form.append('image', key)
    form.delete(`color:${key}`)
    for (const color of colors) form.append(`color:${key}`, color)
    if (isAvailable) form.set(`available:${key}`, 'on')
    else form.delete(`available:${key}`)
  }
}

const UPLOAD_URL = '/manage/item-picture'
const browserAdapters: ItemImageAdapters = {
  resize: resizeImage,
  upload: ({ categoryId, ...request }) =>
    uploadImage({ ...request, address: UPLOAD_URL, fields: { categoryId } }),
  discard: ({ url }) => discardUpload(UPLOAD_URL, { url }),
  onError: showToast,
}

export type ItemImages = ReturnType<typeof useItemImages>

/** The hook uses only the first value of `item`. */
export function useItemImages(item: Item | null, categoryId: string) {
  const [editor] = useState(() => createItemImages(storedImages(item), browserAdapters))
  const images = useSyncExternalStore(editor.subscribe, editor.read, editor.read)
  useEffect(() => editor.setCategory(categoryId), [editor, categoryId])
  useEffect(() => editor.close, [editor])

  const hasCategory = categoryId !== ''
  const uploads = images.filter(({ upload }) => upload !== null)
  const pending = uploads.filter(({ upload }) => upload?.state === 'pending').length
  return {
    ...editor,
    images,
    hasCategory,
    progress:
      pending > 0 && hasCategory
        ? itemImagesTexts.uploading(uploads.length - pending + 1, uploads.length)
        : null,
  }
}
