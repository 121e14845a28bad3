import type { QueuedImage, Upload } from './image-upload.ts'
import { checkConnectivity, whenOnline } from '#client/connectivity.ts'
import { createStore } from '#client/store.ts'
import { itemFileErrorTexts, uploadTexts } from './texts.ts'

export type UploadAdapters = {
  resize: (file: File) => Promise<ResizedImage>
  upload: (request: Omit<UploadRequest, 'address' | 'fields'>) => Promise<Upload | null>
  discard: (upload: Upload & { state: 'uploaded' }) => void
}

export const mayRetry = ({ file, upload }: Pick<QueuedImage, 'file' | 'upload'>) =>
  file !== null &&
  upload?.state === 'error' &&
  !Object.values(itemFileErrorTexts).includes(upload.text)

export const newUpload = (file: File) => ({
  index: 0,
  file,
  src: '',
  upload: { state: 'pending', step: 'shrinking' } as Upload,
})

export function createImageUploadQueue<T extends QueuedImage>(
  adapters: UploadAdapters,
  failedText: string,
  onError: (text: string) => void = () => {},
) {
  const list = createImageList<T>()
  const uploads = createUploads(list, adapters, failedText, onError)
  const { read, find, set, setUpload } = list
  function endAll() {
    for (const { id } of read()) uploads.abort(id)
    read().forEach(revokePreview)
  }
  return {
    ...list,
    add(images: readonly T[]) {
      set([...read(), ...images])
      uploads.pump()
    },
    replace(images: readonly T[]) {
      endAll()
      set(images)
      uploads.pump()
    },
    remove(isMeant: (image: T) => boolean, keepStored = false) {
      const removedImages = read().filter(isMeant)
      if (removedImages.length === 0) return
      for (const image of removedImages) {
        uploads.forget(image.id)
        if (image.upload?.state === 'uploaded' && !keepStored) adapters.discard(image.upload)
        revokePreview(image)
      }
      set(read().filter((image) => !removedImages.includes(image)))
      uploads.pump()
    },
    cancel(id: string, text: string) {
      if (find(id)?.upload?.state !== 'pending') return
      uploads.abort(id)
      setUpload(id, { state: 'error', text })
      uploads.pump()
    },
    retry(id: string) {
      const image = find(id)
      if (!image || !mayRetry(image)) return
      setUpload(id, uploads.pending(id))
      uploads.pump()
    },
    setMayUpload: uploads.open,
    close() {
      uploads.close()
      endAll()
    },
  }
}

const revokePreview = ({ src }: QueuedImage) => src.startsWith('blob:') && URL.revokeObjectURL(src)

function createImageList<T extends QueuedImage>() {
  const { read, write, subscribe } = createStore<readonly T[]>([])
  const set = (images: readonly T[]) => write(images.map((image, index) => ({ ...image, index })))
  const change = (id: string, part: Partial<T>) =>
    set(read().map((image) => (image.id === id ? { ...image, ...part } : image)))
  return {
    read,
    find: (id: string) => read().find((image) => image.id === id),
    set,
    change,
    setUpload: (id: string, upload: Upload) => change(id, { upload } as Partial<T>),
    subscribe,
    settled: (isMeant: (image: T) => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (read().some((image) => isMeant(image) && image.upload?.state === 'pending')) return
          unsubscribe()
          resolve()
        }
        const unsubscribe = subscribe(check)
        check()
      }),
  }
}

/** The browser can send one image while the server stores the other. */
const MAX_CONCURRENT_UPLOADS = 2

function createUploads<T extends QueuedImage>(
  list: ReturnType<typeof createImageList<T>>,
  adapters: UploadAdapters,
  failedText: string,
  onError: (text: string) => void,
) {
  let isOpen = true
  let mayUpload = true
  let isResizing = false
  const resized = new Map<string, Blob>()
  const uploading = new Map<string, AbortController>()

  const pending = (id: string): Upload => ({
    state: 'pending',
    step: resized.has(id) ? 'waiting' : 'shrinking',
  })

  const isReady = ({ id, upload }: T) =>
    upload?.state === 'pending' && resized.has(id) && !uploading.has(id)

  function pump() {
    if (!isOpen) return
    void resizeNext()
    while (mayUpload && uploading.size < MAX_CONCURRENT_UPLOADS) {
      const next = list.read().find(isReady)
      if (!next) return
      void upload(next)
    }
  }

  /** Resizes one image at a time, because a photo of 48 megapixels needs 200 MB of memory. */
  async function resizeNext() {
    if (isResizing) return
    const next = list.read().find(({ id, file }) => file && !resized.has(id))
    if (!next?.file) return
    const { id, file } = next
    isResizing = true
    const result = await adapters.resize(file).catch(() => ({ file, preview: null }))
    isResizing = false
    const image = list.find(id)
    if (image && isOpen) {
      resized.set(id, result.file)
      const src = result.preview ? URL.createObjectURL(result.preview) : ''
      const upload = image.upload?.state === 'pending' ? pending(id) : image.upload
      list.change(id, { src, upload } as Partial<T>)
    }
    pump()
  }

  async function upload({ id, file }: T) {
    const controller = new AbortController()
    const { signal } = controller
    uploading.set(id, controller)
    const request = { file: resized.get(id)!, name: file?.name ?? 'image', signal }
    const onChange = (state: Upload) => void (signal.aborted || list.setUpload(id, state))
    const answer = await adapters.upload({ ...request, onChange }).catch(() => null)
    const result: Upload = answer ?? { state: 'error', text: failedText }
    if (!signal.aborted) {
      uploading.delete(id)
      list.setUpload(id, result)
      if (result.state === 'error') onError(result.text)
    } else if (result.state === 'uploaded') adapters.discard(result)
    pump()
  }

  function abort(id: string) {
    uploading.get(id)?.abort()
    uploading.delete(id)
  }

  return {
    pending,
    pump,
    abort,
    forget(id: string) {
      abort(id)
      resized.delete(id)
    },
    open(value: boolean) {
      isOpen = true
      mayUpload = value
      pump()
    },
    close() {
      isOpen = false
    },
  }
}

export type ResizedImage = {
  file: Blob
  preview: Blob | null
}

const RESIZE_TIME_MS = 20_000

export function resizeImage(file: File): Promise<ResizedImage> {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') {
    return Promise.resolve({ file, preview: file })
  }
  return new Promise((resolve) => {
    // The browser frees the memory of an image when its worker ends.
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
      // An ended login session redirects the request to another page.
      if (answer && new URL(answer.responseURL).pathname !== image.address) {
        return { state: 'error', text: uploadTexts.loggedOut }
      }
      if (answer && !UNAVAILABLE_STATUSES.includes(answer.status)) {
        return readUpload(answer.responseText)
      }
      onChange({ state: 'pending', step: 'offline' })
      checkConnectivity()
      await whenOnline(allowed)
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return null
}

/** Resolves to null after a network error. Only XMLHttpRequest reports an upload's progress. */
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

function readUpload(text: string) {
  try {
    const upload = JSON.parse(text) as Upload
    return upload.state === 'uploaded' || upload.state === 'error' ? upload : null
  } catch {
    return null
  }
}

export function discardUpload(address: string, which: Record<string, string>) {
  const body = new URLSearchParams({ intent: 'delete', ...which })
  void fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {})
}
