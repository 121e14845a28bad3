import { doubtConnection, whenReached } from '#app/platform/connection.ts'
import type { Upload } from './picture-upload.ts'

export type ResizedImage = {
  /** what is sent: the smaller image, or the file as it was chosen */
  file: Blob
  /** what the form shows; null: this browser cannot read the file (HEIC outside Safari), but the shop may */
  preview: Blob | null
}

/** Milliseconds; an image that takes longer is sent as it is. */
const RESIZE_TIME_MS = 20_000

/** A browser without workers or canvases sends and shows the file as it is. */
export function resizeImage(file: File): Promise<ResizedImage> {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') return Promise.resolve({ file, preview: file })
  return new Promise((resolve) => {
    // One worker for each image: ending it frees the memory of a large photo.
    const worker = new Worker(new URL('./resize-worker.ts', import.meta.url), { type: 'module' })
    const clock = setTimeout(() => end({ file, preview: null }), RESIZE_TIME_MS)
    const end = (resized: ResizedImage) => {
      clearTimeout(clock)
      worker.terminate()
      resolve(resized)
    }
    worker.onmessage = ({ data }: MessageEvent<ResizedImage>) => end(data)
    worker.onerror = () => end({ file, preview: null })
    worker.postMessage(file)
  })
}

/** S-140: milliseconds that one upload may take with all its tries. */
const UPLOAD_TIME_MS = 600_000
/** How often one upload may fail although the shop can be reached. */
const MAX_TRIES = 4
/** What a proxy answers while the shop is away. */
const AWAY = [502, 503, 504]
export const LOGGED_OUT_TEXT = 'You are logged out. Log in again; your changes stay in this browser.'

export type UploadRequest = {
  /** the address that takes the image, and the other fields that it wants */
  address: string
  fields: Record<string, string>
  file: Blob
  name: string
  signal: AbortSignal
  onChange: (pending: Upload & { state: 'pending' }) => void
}

/** Tries again after each loss of the network, within S-140. Returns null when the image could not be sent; rejects when `signal` aborts. */
export async function uploadImage({ signal, onChange, ...image }: UploadRequest): Promise<Upload | null> {
  const allowed = AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_TIME_MS)])
  try {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      onChange({ state: 'pending', step: 'sending', part: 0 })
      const answer = await post(image, allowed, onChange)
      // A redirect to another page: nobody is logged in.
      if (answer && new URL(answer.responseURL).pathname !== image.address) return { state: 'error', text: LOGGED_OUT_TEXT }
      if (answer && !AWAY.includes(answer.status)) return readUpload(answer.responseText)
      onChange({ state: 'pending', step: 'offline' })
      doubtConnection()
      await whenReached(allowed)
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return null
}

/** Resolves to null when the network fails. XMLHttpRequest, since `fetch` does not tell how many bytes have been sent. */
function post(
  { address, fields, file, name }: Omit<UploadRequest, 'signal' | 'onChange'>,
  signal: AbortSignal,
  onChange: UploadRequest['onChange'],
) {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  body.set('file', file, name)
  return new Promise<XMLHttpRequest | null>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => {
      request.abort()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    request.upload.onprogress = ({ loaded, total }) =>
      onChange(loaded < total ? { state: 'pending', step: 'sending', part: loaded / total } : { state: 'pending', step: 'storing' })
    request.onload = () => resolve(request)
    request.onerror = () => resolve(null)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    request.open('POST', address)
    request.send(body)
  })
}

function readUpload(text: string): Upload | null {
  try {
    const upload = JSON.parse(text) as Upload
    return upload.state === 'uploaded' || upload.state === 'error' ? upload : null
  } catch {
    return null
  }
}

/** Deletes an upload that nothing needs any more; the shop deletes what remains after a day. */
export function discardUpload(address: string, which: Record<string, string>): void {
  const body = new URLSearchParams({ intent: 'delete', ...which })
  void fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {})
}
