import { itemPickTexts, type QueuedImage, type Upload } from './picture-upload.ts'
import { doubtConnection, whenReached } from '#app/platform/connection.ts'

type StoredUpload = Upload & { state: 'uploaded' }
export type UploadAdapters = {
  resize: (file: File) => Promise<ResizedImage>
  upload: (request: Omit<UploadRequest, 'address' | 'fields'>) => Promise<Upload | null>
  discard: (upload: StoredUpload) => void
}

/** One is sent while the shop stores the other. */
const MAX_CONCURRENT_UPLOADS = 2

/** What the shop refused for its content it would refuse again; a new try needs the file. */
export const mayRetry = ({ file, upload }: Pick<QueuedImage, 'file' | 'upload'>): boolean =>
  file !== null && upload?.state === 'error' && !Object.values(itemPickTexts).includes(upload.text)

export const newUpload = (file: File) => ({ index: 0, file, src: '', upload: { state: 'pending', step: 'shrinking' } as Upload })

const revokePreview = ({ src }: QueuedImage) => src.startsWith('blob:') && URL.revokeObjectURL(src)

/** `failedText`: shown with an image that could not be sent; `onError` hears of each upload that ends with an error. */
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
  const change = (id: string, part: Partial<T>) => set(images.map((image) => (image.id === id ? { ...image, ...part } : image)))
  const setUpload = (id: string, upload: Upload) => change(id, { upload } as Partial<T>)
  const pending = (id: string): Upload => ({ state: 'pending', step: resized.has(id) ? 'waiting' : 'shrinking' })

  function pump() {
    if (!isOpen) return
    void resizeNext()
    while (mayUpload && uploading.size < MAX_CONCURRENT_UPLOADS) {
      const next = images.find(({ id, upload }) => upload?.state === 'pending' && resized.has(id) && !uploading.has(id))
      if (!next) return
      void upload(next)
    }
  }

  /** One at a time: a photo of 48 megapixels takes 200 MB while it is open. */
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
      change(id, { src, upload: image.upload?.state === 'pending' ? pending(id) : image.upload } as Partial<T>)
    }
    pump()
  }

  async function upload({ id, file }: T) {
    const controller = new AbortController()
    const { signal } = controller
    uploading.set(id, controller)
    const request = { file: resized.get(id)!, name: file?.name ?? 'image', signal }
    const onChange = (state: Upload) => void (signal.aborted || setUpload(id, state))
    const ended = (await adapters.upload({ ...request, onChange }).catch(() => null)) ?? ({ state: 'error', text: failedText } as Upload)
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
    /** `keepStored`: the shop keeps what it has; otherwise it is deleted there too. */
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
    /** Also opens a queue again that was closed. */
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
const MAX_TRIES = 4
/** What a proxy answers while the shop is away. */
const AWAY = [502, 503, 504]
const LOGGED_OUT_TEXT = 'You are logged out. Log in again; your changes stay in this browser.'

export type UploadRequest = {
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

export function discardUpload(address: string, which: Record<string, string>): void {
  const body = new URLSearchParams({ intent: 'delete', ...which })
  void fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {})
}
