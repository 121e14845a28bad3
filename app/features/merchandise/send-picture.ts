/** Sends one picture of the item editor; the browser's side of an upload (FILES-07 to FILES-10). */
import { itemTexts } from './item-input.ts'
import type { Upload } from '#app/features/uploads/picture-upload.ts'

/** S-140: an upload may take this long, milliseconds. */
const UPLOAD_TIME = 600_000

export async function sendPicture(categoryId: string, file: File | null): Promise<Upload> {
  const body = new FormData()
  body.set('categoryId', categoryId)
  if (file) body.set('file', file)
  try {
    const response = await fetch('/manage/item-picture', { method: 'POST', body, signal: AbortSignal.timeout(UPLOAD_TIME) })
    const upload = (await response.json()) as Upload
    return upload.state === 'uploaded' || upload.state === 'error' ? upload : { state: 'error', text: itemTexts.uploadFailed }
  } catch {
    return { state: 'error', text: itemTexts.uploadFailed }
  }
}
