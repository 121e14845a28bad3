/** The states of an upload (FILES-07 to FILES-10). */

export type Upload =
  | { state: 'pending' }
  | { state: 'uploaded'; id: string; url: string }
  | { state: 'deleted' }
  | { state: 'error'; text: string }

/** An image of the item editor (DATA-055 to DATA-058): `id` once it is stored, `file` and `src` while it is new. */
export type EditorImage = {
  /** place in the list */
  index: number
  /** the key under which the form sends it; a new one has a key of the editor's own */
  id: string
  file: File | null
  /** what the preview shows */
  src: string
  colors: string[]
  isAvailable: boolean
  upload: Upload | null
}

export const pictureUrl = (path: string): string => `/pictures/${path}`
export const pathOfUrl = (url: string): string => url.replace(/^.*?\/pictures\//, '')

/** The key of a picture that was uploaded and belongs to no item yet. */
export const uploadKey = (pictureId: string): string => `upload-${pictureId}`
export const pictureIdOfKey = (key: string): string | null => (key.startsWith('upload-') ? key.slice(7) : null)

/** Swaps an image with its neighbour; at the ends nothing moves. */
export function moveImage<T extends { index: number }>(images: readonly T[], from: number, by: -1 | 1): T[] {
  const to = from + by
  const [moved, other] = [images[from], images[to]]
  if (!moved || !other) return [...images]
  return numbered(images.map((image, at) => (at === from ? other : at === to ? moved : image)))
}

export const numbered = <T extends { index: number }>(images: readonly T[]): T[] => images.map((image, index) => ({ ...image, index }))
