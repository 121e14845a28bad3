import { MAX_UPLOAD_BYTES } from '#services/image-paths.ts'

export type Upload =
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
  id: string
  file: File | null
  src: string
  upload: Upload | null
}

export type EditorImage = QueuedImage & { colors: string[]; isAvailable: boolean }

export const imageUrl = (path: string) => `/pictures/${path}`
export const pathOfUrl = (url: string) => url.replace(/^.*?\/pictures\//, '')

export const uploadKey = (imageId: string) => `upload-${imageId}`
export const imageIdOfKey = (key: string) => (key.startsWith('upload-') ? key.slice(7) : null)

export type FileRefusal =
  | 'no-file'
  | 'not-an-image'
  | 'too-big'
  | 'damaged'
  | 'too-many-pixels'
  | 'unread-heic'

export const FILE_ERROR_MS = 2000

export const ACCEPTED_TYPES =
  'image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif,.heic,.heif,.hif'

/** Many browsers report no type for a HEIC file. */
const isUntypedHeic = ({ name, type }: File) =>
  /\.(?:hei[cf]|hif)$/i.test(name) && (type === '' || type === 'application/octet-stream')

/** Without a chosen file, the browser sends an empty file without a name. [FILES-11] */
export const isChosenFile = (file: unknown): file is File =>
  file instanceof File && (file.size > 0 || file.name !== '')

/** Checks only what the browser claims. `normalizeUpload` checks the bytes. */
export function validateFile(file: unknown) {
  if (!isChosenFile(file)) return 'no-file'
  if (!file.type.startsWith('image/') && !isUntypedHeic(file)) return 'not-an-image'
  return file.size > MAX_UPLOAD_BYTES ? 'too-big' : null
}
