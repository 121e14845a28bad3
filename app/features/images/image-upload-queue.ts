import type { QueuedImage, Upload } from './image-upload.ts'
import { checkConnectivity, whenOnline } from '#app/client/connectivity.ts'
import { itemFileErrorTexts, uploadTexts } from './texts.ts'

type StoredUpload = Upload & { state: 'uploaded' }
export type UploadAdapters = {
  resize: (file: File) => Promise<ResizedImage>
  upload: (request: Omit<UploadRequest, 'address' | 'fields'>) => Promise<Upload | null>
  discard: (upload: StoredUpload) => void
}

/** While the server stores one image, the browser sends another. */
const MAX_CONCURRENT_UPLOADS = 2

/** Returns true if an upload has failed and the browser may try it again. Returns false if the server has refused the content of the file. */
export const mayRetry = ({ file, upload }: Pick<QueuedImage, 'file' | 'upload'>): boolean =>
  file !== null &&
  upload?.state === 'error' &&
  !Object.values(itemFileErrorTexts).includes(upload.text)

export const newUpload = (file: File) => ({
  index: 0,
  file,
  src: '',
  upload: { state: 'pending', step: 'shrinking' } as Upload,
})

const revokePreview = ({ src }: QueuedImage) => src.startsWith('blob:') && URL.revokeObjectURL(src)

/** `failedText` is shown beside an image that the browser could not send. The queue calls `onError` for each failed upload. */
export function createImageUploadQueue<T extends QueuedImage>(
  adapters: UploadAdapters,
  failedText: string,
  onError: (text: string) => void = () => {},
) {
  let images: readonly T[] = []
  let isOpen = true
  let mayUpload = true
  let isResizing = false
  const listeners = new Set<() => void>()
  const resized = new Map<string, Blob>()
  const uploading = new Map<string, AbortController>()

  function set(next: readonly T[]) {
    images = next.map((image, index) => ({ ...image, index }))
    for (const listener of [...listeners]) listener()
  }
  const find = (id: string) => images.find((image) => image.id === id)
  const change = (id: string, part: Partial<T>) =>
    set(images.map((image) => (image.id === id ? { ...image, ...part } : image)))
  const setUpload = (id: string, upload: Upload) => change(id, { upload } as Partial<T>)
  const pending = (id: string): Upload => ({
    state: 'pending',
    step: resized.has(id) ? 'waiting' : 'shrinking',
  })

  function pump() {
    if (!isOpen) return
    void resizeNext()
    while (mayUpload && uploading.size < MAX_CONCURRENT_UPLOADS) {
      const next = images.find(
        ({ id, upload }) => upload?.state === 'pending' && resized.has(id) && !uploading.has(id),
      )
      if (!next) return
      void upload(next)
    }
  }

  /** Resizes only one image at a time, because a photo of 48 megapixels needs 200 MB of memory. */
  async function resizeNext() {
    const next = isResizing ? undefined : images.find(({ id, file }) => file && !resized.has(id))
    if (!next?.file) return
    const { id, file } = next
    isResizing = true
    const made = await adapters.resize(file).catch(() => ({ file, preview: null }))
    isResizing = false
    const image = find(id)
    if (image && isOpen) {
      resized.set(id, made.file)
      const src = made.preview ? URL.createObjectURL(made.preview) : ''
      change(id, {
        src,
        upload: image.upload?.state === 'pending' ? pending(id) : image.upload,
      } as Partial<T>)
    }
    pump()
  }

  async function upload({ id, file }: T) {
    const controller = new AbortController()
    const { signal } = controller
    uploading.set(id, controller)
    const request = { file: resized.get(id)!, name: file?.name ?? 'image', signal }
    const onChange = (state: Upload) => void (signal.aborted || setUpload(id, state))
    const ended =
      (await adapters.upload({ ...request, onChange }).catch(() => null)) ??
      ({ state: 'error', text: failedText } as Upload)
    if (!signal.aborted) {
      uploading.delete(id)
      setUpload(id, ended)
      if (ended.state === 'error') onError(ended.text)
    } else if (ended.state === 'uploaded') adapters.discard(ended)
    pump()
  }

  function abort(id: string) {
    uploading.get(id)?.abort()
    uploading.delete(id)
  }
  function endAll() {
    for (const { id } of images) abort(id)
    images.forEach(revokePreview)
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => images,
    change,
    set,
    add(added: readonly T[]) {
      set([...images, ...added])
      pump()
    },
    replace(next: readonly T[]) {
      endAll()
      set(next)
      pump()
    },
    /** If `keepStored` is true, the server keeps the images that were already uploaded. */
    remove(isMeant: (image: T) => boolean, keepStored = false) {
      const removed = images.filter(isMeant)
      if (removed.length === 0) return
      for (const image of removed) {
        abort(image.id)
        resized.delete(image.id)
        if (image.upload?.state === 'uploaded' && !keepStored) adapters.discard(image.upload)
        revokePreview(image)
      }
      set(images.filter((image) => !removed.includes(image)))
      pump()
    },
    cancel(id: string, text: string) {
      if (find(id)?.upload?.state !== 'pending') return
      abort(id)
      setUpload(id, { state: 'error', text })
      pump()
    },
    retry(id: string) {
      const image = find(id)
      if (!image || !mayRetry(image)) return
      setUpload(id, pending(id))
      pump()
    },
    settled: (isMeant: (image: T) => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (images.some((image) => isMeant(image) && image.upload?.state === 'pending')) return
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check()
      }),
    setMayUpload(value: boolean) {
      isOpen = true
      mayUpload = value
      pump()
    },
    close() {
      isOpen = false
      endAll()
    },
  }
}

export type ResizedImage = {
  file: Blob
  /** The preview of the image; null if the browser could not decode the image, such as a HEIC photo outside Safari. */
  preview: Blob | null
}

/** If resizing takes longer than this number of milliseconds, the browser uploads the image unchanged. */
const RESIZE_TIME_MS = 20_000

/** A browser without web workers or `OffscreenCanvas` uploads the file unchanged. */
export function resizeImage(file: File): Promise<ResizedImage> {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined')
    return Promise.resolve({ file, preview: file })
  return new Promise((resolve) => {
    // Each image gets its own worker, because the browser frees the image's memory when the worker ends.
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

/** All attempts of one upload together may take this number of milliseconds. [S-140] */
const UPLOAD_TIME_MS = 600_000
const MAX_TRIES = 4
const UNAVAILABLE_STATUSES = [502, 503, 504]

export type UploadRequest = {
  address: string
  fields: Record<string, string>
  file: Blob
  name: string
  signal: AbortSignal
  onChange: (pending: Upload & { state: 'pending' }) => void
}

/** Uploads an image, and repeats the upload after network errors. Returns null if all attempts fail or UPLOAD_TIME_MS is over. Rejects when `signal` aborts. */
export async function uploadImage({
  signal,
  onChange,
  ...image
}: UploadRequest): Promise<Upload | null> {
  const allowed = AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_TIME_MS)])
  try {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      onChange({ state: 'pending', step: 'sending', part: 0 })
      const answer = await post(image, allowed, onChange)
      // The server redirects to another page if the login session has ended.
      if (answer && new URL(answer.responseURL).pathname !== image.address)
        return { state: 'error', text: uploadTexts.loggedOut }
      if (answer && !UNAVAILABLE_STATUSES.includes(answer.status))
        return readUpload(answer.responseText)
      onChange({ state: 'pending', step: 'offline' })
      checkConnectivity()
      await whenOnline(allowed)
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return null
}

/** Returns null after a network error. Uses XMLHttpRequest, because `fetch` does not report the progress of an upload. */
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
      onChange(
        loaded < total
          ? { state: 'pending', step: 'sending', part: loaded / total }
          : { state: 'pending', step: 'storing' },
      )
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

export function discardUpload(address: string, which: Record<string, string>): void {
  const body = new URLSearchParams({ intent: 'delete', ...which })
  void fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {})
}
