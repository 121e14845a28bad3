/** The states of an upload (FILES-07 to FILES-10), and the images of the item editor. */

/** What a pending upload is at: made smaller, waiting for its turn or its category, for the connection, on its way, being stored. */
export type UploadStep = 'shrinking' | 'waiting' | 'offline' | 'sending' | 'storing'

export type Upload =
  /** `part` of its bytes that have gone out, 0 to 1 */
  | { state: 'pending'; step?: UploadStep; part?: number }
  | { state: 'uploaded'; id: string; url: string }
  | { state: 'deleted' }
  | { state: 'error'; text: string }

/** An image of the item editor (DATA-055 to DATA-058): `id` once it is stored, `file` and `src` while it is new. */
export type EditorImage = {
  /** place in the list */
  index: number
  /** the key under which the form sends it; a new one has a key of the editor's own */
  id: string
  /** the chosen file; null once the item is saved with it */
  file: File | null
  /** what the preview shows; '' while there is nothing to show */
  src: string
  colors: string[]
  isAvailable: boolean
  /** null: the item has it already */
  upload: Upload | null
}

export const pictureUrl = (path: string): string => `/pictures/${path}`
export const pathOfUrl = (url: string): string => url.replace(/^.*?\/pictures\//, '')

/** The key of a picture that was uploaded and belongs to no item yet. */
export const uploadKey = (pictureId: string): string => `upload-${pictureId}`
export const pictureIdOfKey = (key: string): string | null => (key.startsWith('upload-') ? key.slice(7) : null)

/** Moves one to another place; the others close up. Places that do not exist change nothing. */
export function moveImage<T extends { index: number }>(images: readonly T[], from: number, to: number): T[] {
  const moved = images[from]
  if (!moved || !images[to]) return [...images]
  const others = images.filter((image) => image !== moved)
  return numbered([...others.slice(0, to), moved, ...others.slice(to)])
}

export const numbered = <T extends { index: number }>(images: readonly T[]): T[] => images.map((image, index) => ({ ...image, index }))
