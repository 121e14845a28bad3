import { useEffect, useState, useSyncExternalStore } from 'react'
import { smallestUrl } from '#app/ui/picture-url.ts'
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
import { uploadKey, type EditorImage } from '#app/features/images/image-upload.ts'
import { itemImagesTexts, itemImageTexts, itemTexts } from './texts.ts'

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
const newImage = (file: File): EditorImage => ({
  ...newUpload(file),
  id: `new-${++ids}`,
  colors: [],
  isAvailable: true,
})

/** Creates a new preview of an image in a restored draft. Starts an upload if the image was not uploaded yet. */
function restoredImage(stored: EditorImage): EditorImage {
  if (!stored.file) return stored
  const fresh = newImage(stored.file)
  const upload = stored.upload?.state === 'uploaded' ? stored.upload : fresh.upload
  return { ...fresh, colors: stored.colors, isAvailable: stored.isAvailable, upload }
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

export function createItemImages(
  first: readonly EditorImage[],
  { onError, ...adapters }: ItemImageAdapters,
) {
  let category = ''
  const upload: UploadAdapters['upload'] = (request) =>
    adapters.upload({ ...request, categoryId: category })
  const queue = createImageUploadQueue<EditorImage>(
    { ...adapters, upload },
    itemTexts.uploadFailed,
    onError,
  )
  queue.set(first)
  const { subscribe, read, retry, close } = queue

  return {
    subscribe,
    read,
    retry,
    close,
    /** Sets the category of new uploads. With '', uploads wait until a category is selected. Stored images stay in the folder of their category. [S-096] */
    setCategory(id: string) {
      category = id
      queue.setMayUpload(id !== '')
    },
    add: (files: readonly File[]) => queue.add(files.map(newImage)),
    restore: (images: readonly EditorImage[]) => queue.replace(images.map(restoredImage)),
    change: (id: string, part: Partial<Pick<EditorImage, 'colors' | 'isAvailable'>>) =>
      queue.change(id, part),
    move(from: number, to: number) {
      const moved = read()[from]
      if (moved && read()[to]) queue.set(read().toSpliced(from, 1).toSpliced(to, 0, moved))
    },
    remove: (id: string) => queue.remove((image) => image.id === id),
    cancel: (id: string) => queue.cancel(id, itemImageTexts.stopped),
    /** Marks images whose uploads have expired. `settle` uploads these images again. */
    markLost(lost: readonly string[]) {
      for (const { id, upload } of read())
        if (upload?.state === 'uploaded' && lost.includes(uploadKey(upload.id)))
          queue.change(id, { upload: { state: 'error', text: itemTexts.uploadLost } })
    },
    /** Retries failed uploads and waits for all uploads, if the owner has selected a category. [MERCH-33] */
    async settle(): Promise<{ ok: true } | { ok: false; text: string }> {
      for (const image of read()) if (mayRetry(image)) retry(image.id)
      await queue.settled(() => category !== '')
      const left = read().find(({ upload }) => upload !== null && upload.state !== 'uploaded')
      if (!left) return { ok: true }
      return {
        ok: false,
        text: left.upload?.state === 'error' ? left.upload.text : itemTexts.uploadFailed,
      }
    },
    appendTo: (form: FormData) => appendImages(form, read()),
    discard() {
      queue.remove(() => true)
      queue.set(first)
    },
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

export type UseItemImages = ReturnType<typeof useItemImages>

/** Uses only the first value of `item`. Uploads start when the owner has chosen a category. */
export function useItemImages({ item, categoryId }: { item: Item | null; categoryId: string }) {
  const [editor] = useState(() => createItemImages(storedImages(item), browserAdapters))
  const images = useSyncExternalStore(editor.subscribe, editor.read, editor.read)
  useEffect(() => editor.setCategory(categoryId), [editor, categoryId])
  useEffect(() => () => editor.close(), [editor])

  const uploads = images.filter(({ upload }) => upload !== null)
  const pending = uploads.filter(({ upload }) => upload?.state === 'pending').length
  const isUploading = pending > 0 && categoryId !== ''
  return {
    ...editor,
    images,
    hasCategory: categoryId !== '',
    progress: isUploading
      ? itemImagesTexts.uploading(uploads.length - pending + 1, uploads.length)
      : null,
  }
}
