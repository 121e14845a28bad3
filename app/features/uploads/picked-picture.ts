/** What a chosen file must be before it may become a picture; browser and server ask the same. */
import { MAX_PICTURE_BYTES } from '#app/platform/picture-limits.ts'

export type PickRefusal = 'no-file' | 'not-an-image' | 'too-big'

/** CATEGORY-09 to CATEGORY-11, COLOR-15 to COLOR-17 */
export const shortPickTexts: Record<PickRefusal, string> = {
  'no-file': 'select file',
  'not-an-image': 'select image',
  'too-big': 'too big',
}

/** MERCH-29 to MERCH-31 */
export const itemPickTexts: Record<PickRefusal, string> = {
  'no-file': 'please select a file',
  'not-an-image': 'please select an image',
  'too-big': 'file size is too big',
}

/** MERCH-32, S-092: milliseconds */
export const PICK_REPORT_DURATION = 2000

/** Pickers open on pictures; the check stands all the same. */
export const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

/** FILES-11, FILES-12: exactly the largest size passes. A form without a chosen file sends one without a name. */
export function refusePicked(file: unknown): PickRefusal | null {
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return 'no-file'
  if (!file.type.startsWith('image/')) return 'not-an-image'
  return file.size > MAX_PICTURE_BYTES ? 'too-big' : null
}
