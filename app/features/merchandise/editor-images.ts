/** The images of the item form as plain values: where they come from, what the form sends of them (DATA-055 to DATA-058). */
import { smallestUrl } from '#app/ui/picture.tsx'
import type { Item } from '#app/features/catalog/catalog.ts'
import { uploadKey, type EditorImage, type Upload } from '#app/features/uploads/picture-upload.ts'
import { LOGGED_OUT_TEXT } from '#app/features/uploads/send-picture.ts'
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
/** FILES-07: it begins as pending. */
export const newImage = (file: File): EditorImage => ({
  index: 0,
  id: `new-${++ids}`,
  file,
  src: '',
  colors: [],
  isAvailable: true,
  upload: { state: 'pending', step: 'shrinking' },
})

/** An image of a draft: its preview is made anew, and it is sent unless it was. */
export function restoredImage(kept: EditorImage): EditorImage {
  if (!kept.file) return kept
  const fresh = newImage(kept.file)
  const upload = kept.upload?.state === 'uploaded' ? kept.upload : fresh.upload
  return { ...fresh, colors: kept.colors, isAvailable: kept.isAvailable, upload }
}

/** A file that the shop refused would be refused again; what failed on the way may pass. */
export const mayRetry = (upload: Upload | null): boolean =>
  upload?.state === 'error' && [itemTexts.uploadFailed, STOPPED_TEXT, LOGGED_OUT_TEXT].includes(upload.text)

export const isDone = (upload: Upload | null): boolean => upload === null || upload.state === 'uploaded'

/** Writes the images into what the form sends, instead of what its own fields say of them. */
export function appendImages(form: FormData, images: readonly EditorImage[]): void {
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
