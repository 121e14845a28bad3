import { MAX_PICTURE_BYTES } from '#app/platform/picture-types.ts'

export type Upload =
  /** `step`: made smaller, waiting for its turn or its category, for the connection, on its way, being stored; `part` of its bytes: 0 to 1 */
  | { state: 'pending'; step?: 'shrinking' | 'waiting' | 'offline' | 'sending' | 'storing'; part?: number }
  | { state: 'uploaded'; id: string; url: string }
  | { state: 'deleted' }
  | { state: 'error'; text: string }

export type QueuedImage = {
  index: number
  /** the browser's own name for a new image, else that of the shop */
  id: string
  file: File | null
  /** address of the preview; '' while there is none */
  src: string
  upload: Upload | null
}

/** An image of the item editor (DATA-055 to DATA-058); `id` is the key under which the form sends it. */
export type EditorImage = QueuedImage & { colors: string[]; isAvailable: boolean }

export const pictureUrl = (path: string): string => `/pictures/${path}`
export const pathOfUrl = (url: string): string => url.replace(/^.*?\/pictures\//, '')

export const uploadKey = (pictureId: string): string => `upload-${pictureId}`
export const pictureIdOfKey = (key: string): string | null => (key.startsWith('upload-') ? key.slice(7) : null)

export type PickRefusal = 'no-file' | 'not-an-image' | 'too-big' | 'damaged' | 'too-many-pixels' | 'unread-heic'

/** Found only once the picture is read; the specification has no texts for these. */
const readTexts = {
  damaged: 'This picture is damaged or incomplete. Please send it again or choose another.',
  'too-many-pixels': 'This picture has too many pixels. Please send a smaller one.',
  'unread-heic': 'This HEIC photo could not be read here. Please send it as JPEG.',
}

export const shortPickTexts: Record<PickRefusal, string> = {
  'no-file': 'select file',
  'not-an-image': 'select image',
  'too-big': 'too big',
  ...readTexts,
}

export const itemPickTexts: Record<PickRefusal, string> = {
  'no-file': 'please select a file',
  'not-an-image': 'please select an image',
  'too-big': 'file size is too big',
  ...readTexts,
}

/** MERCH-32, S-092: milliseconds */
export const PICK_REPORT_DURATION = 2000

/** Pickers open on pictures; the check stands all the same. */
export const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif,.heic,.heif'

/** Many browsers know no type for HEIC and say none, or "some bytes": such a file is judged by its content, once it is sent. */
const isUntypedHeic = ({ name, type }: File): boolean => /\.hei[cf]$/i.test(name) && (type === '' || type === 'application/octet-stream')

/** FILES-11, FILES-12: exactly the largest size passes. A form without a chosen file sends one without a name. */
export function refusePicked(file: unknown): PickRefusal | null {
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return 'no-file'
  if (!file.type.startsWith('image/') && !isUntypedHeic(file)) return 'not-an-image'
  return file.size > MAX_PICTURE_BYTES ? 'too-big' : null
}
