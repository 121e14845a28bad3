import { itemPickTexts, type QueuedImage, type Upload } from './picture-upload.ts'
import type { ResizedImage, UploadRequest } from './upload-image.ts'

type StoredUpload = Upload & { state: 'uploaded' }
export type UploadAdapters = {
  resize: (file: File) => Promise<ResizedImage>
  /** Resolves to null when the image could not be sent. */
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
  /** what is sent of each new image, by its id */
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
  /** Ends what is under way and revokes the previews; what the shop has stored stays there. */
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
    find,
    change,
    set,
    add(added: readonly T[]) {
      set([...images, ...added])
      pump()
    },
    /** Puts other images in place of those that are there, which end unless the shop has stored them. */
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
    /** The upload ends with `text`; it can be tried again. */
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
    /** Resolves once no image that is meant has a pending upload. */
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
