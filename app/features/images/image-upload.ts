import { MAX_IMAGE_BYTES } from '#app/services/image-paths.ts'

export type Upload =
  /** `part` is the fraction of the bytes that the browser has sent, from 0 to 1. */
  | {
      state: 'pending'
      step?: 'shrinking' | 'waiting' | 'offline' | 'sending' | 'storing'
      part?: number
    }
  | { state: 'uploaded'; id: string; url: string }
  | { state: 'deleted' }
  | { state: 'error'; text: string }

export type QueuedImage = {
  index: number
  /** the browser chooses the id of a new image, and the server chooses the id of a stored image */
  id: string
  file: File | null
  /** the URL that the form shows: of the file in the browser, or of the stored image */
  src: string
  upload: Upload | null
}

/** `id` is the key that identifies the image in the form. [DATA-055 to DATA-058] */
export type EditorImage = QueuedImage & { colors: string[]; isAvailable: boolean }

export const pictureUrl = (path: string): string => `/pictures/${path}`
export const pathOfUrl = (url: string): string => url.replace(/^.*?\/pictures\//, '')

export const uploadKey = (pictureId: string): string => `upload-${pictureId}`
export const pictureIdOfKey = (key: string): string | null =>
  key.startsWith('upload-') ? key.slice(7) : null

export type FileRefusal =
  | 'no-file'
  | 'not-an-image'
  | 'too-big'
  | 'damaged'
  | 'too-many-pixels'
  | 'unread-heic'

/** An error about a chosen file disappears after this number of milliseconds. [MERCH-32, S-092] */
export const FILE_ERROR_MS = 2000

/** File pickers offer these types. The user can still choose a file of a different type, so the shop checks each file. */
export const ACCEPTED_TYPES =
  'image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif,.heic,.heif'

/** Many browsers report no type for a HEIC file. So this function decides by the file name, and the server later checks the content. */
const isUntypedHeic = ({ name, type }: File): boolean =>
  /\.hei[cf]$/i.test(name) && (type === '' || type === 'application/octet-stream')

/** Returns the reason for refusing a file, or null if the file is allowed. If the user has chosen no file, the browser sends an empty file without a name. [FILES-11, FILES-12] */
export function validateFile(file: unknown): FileRefusal | null {
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return 'no-file'
  if (!file.type.startsWith('image/') && !isUntypedHeic(file)) return 'not-an-image'
  return file.size > MAX_IMAGE_BYTES ? 'too-big' : null
}
