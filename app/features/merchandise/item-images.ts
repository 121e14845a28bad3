/** The images of the item form while it is open: what is chosen is made smaller and sent in the background (MERCH-18, MERCH-33). */
import { moveImage, numbered, uploadKey, type EditorImage, type Upload } from '#app/features/uploads/picture-upload.ts'
import type { Sending } from '#app/features/uploads/send-picture.ts'
import type { Shrunken } from '#app/features/uploads/shrink-picture.ts'
import { appendImages, isDone, mayRetry, newImage, restoredImage, STOPPED_TEXT } from './editor-images.ts'
import { itemTexts } from './item-input.ts'

/** How many are on their way at once: one goes out while the shop stores the other. */
const MOST_AT_ONCE = 2

export type Settled = { ok: true; images: EditorImage[] } | { ok: false; text: string }
export type ItemSending = Omit<Sending, 'address' | 'fields'> & { categoryId: string }
export type Ways = {
  shrink: (file: File, signal: AbortSignal) => Promise<Shrunken>
  /** null: it could not be sent */
  send: (sending: ItemSending) => Promise<Upload | null>
  discard: (url: string) => void
  tell: (text: string) => void
}

/** Lives outside React, which follows it by `subscribe` and `read`. */
export function openItemImages(first: readonly EditorImage[], ways: Ways) {
  let images: readonly EditorImage[] = first
  let category = ''
  let isOpen = true
  let isShrinking = false
  const listeners = new Set<() => void>()
  /** what is sent of a new image, by its id */
  const shrunken = new Map<string, Blob>()
  /** the uploads on their way, by the image's id */
  const underWay = new Map<string, AbortController>()
  let closing = new AbortController()

  function set(next: readonly EditorImage[]) {
    images = numbered(next)
    for (const listener of [...listeners]) listener()
  }
  const find = (id: string) => images.find((image) => image.id === id)
  const change = (id: string, part: Partial<EditorImage>) => set(images.map((image) => (image.id === id ? { ...image, ...part } : image)))
  const put = (id: string, upload: Upload) => change(id, { upload })
  const ready = (id: string): Upload => ({ state: 'pending', step: shrunken.has(id) ? 'waiting' : 'shrinking' })

  function goOn() {
    void shrinkNext()
    while (isOpen && category !== '' && underWay.size < MOST_AT_ONCE) {
      const next = images.find(({ id, upload }) => upload?.state === 'pending' && shrunken.has(id) && !underWay.has(id))
      if (!next) return
      void send(next.id, shrunken.get(next.id)!, next.file?.name ?? 'image')
    }
  }

  /** One at a time: a photo of 48 megapixels takes 200 MB while it is open. */
  async function shrinkNext() {
    const next = isShrinking || !isOpen ? undefined : images.find(({ id, file }) => file && !shrunken.has(id))
    if (!next?.file) return
    const { id, file } = next
    const { signal } = closing
    isShrinking = true
    const made = await ways.shrink(file, signal).catch(() => ({ file, preview: null }))
    isShrinking = false
    const image = find(id)
    if (image && !signal.aborted) {
      shrunken.set(id, made.file)
      const src = made.preview ? URL.createObjectURL(made.preview) : ''
      change(id, { src, upload: image.upload?.state === 'pending' ? ready(id) : image.upload })
    }
    goOn()
  }

  async function send(id: string, file: Blob, name: string) {
    const controller = new AbortController()
    const { signal } = controller
    underWay.set(id, controller)
    const onChange = (upload: Upload) => void (signal.aborted || put(id, upload))
    const upload = (await ways.send({ categoryId: category, file, name, signal, onChange }).catch(() => null)) ?? failed
    if (!signal.aborted) {
      underWay.delete(id)
      put(id, upload)
      if (upload.state === 'error') ways.tell(upload.text)
    } else if (upload.state === 'uploaded') ways.discard(upload.url)
    goOn()
  }

  /** Ends what is on its way; what is stored goes again. */
  function withdraw({ id, upload }: EditorImage) {
    underWay.get(id)?.abort()
    underWay.delete(id)
    if (upload?.state === 'uploaded') ways.discard(upload.url)
  }
  /** Nothing is on its way any longer, and no preview held; what is stored stays. */
  function endAll() {
    closing.abort()
    closing = new AbortController()
    for (const controller of underWay.values()) controller.abort()
    underWay.clear()
    images.forEach(giveBack)
  }
  function retry(id: string) {
    if (find(id)?.upload?.state !== 'error') return
    put(id, ready(id))
    goOn()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => images,
    /** '': none yet. S-096: what is stored already stays where it is. */
    setCategory(id: string) {
      isOpen = true
      category = id
      goOn()
    },
    /** Files that passed `refusePicked`, in their order. */
    add(files: readonly File[]) {
      set([...images, ...files.map(newImage)])
      goOn()
    },
    /** The images of a draft, in place of those that are there: new ones with their file, their upload, or both. */
    restore(kept: readonly EditorImage[]) {
      endAll()
      set(kept.map(restoredImage))
      goOn()
    },
    change: (id: string, part: Partial<Pick<EditorImage, 'colors' | 'isAvailable'>>) => change(id, part),
    move: (from: number, to: number) => set(moveImage(images, from, to)),
    remove(id: string) {
      const image = find(id)
      if (!image) return
      withdraw(image)
      giveBack(image)
      set(images.filter((one) => one !== image))
      goOn()
    },
    cancel(id: string) {
      const image = find(id)
      if (image?.upload?.state !== 'pending') return
      withdraw(image)
      put(id, { state: 'error', text: STOPPED_TEXT })
      goOn()
    },
    retry,
    /** Uploads that the shop has no longer: those whose files are at hand go out anew. */
    sendAgain(lost: readonly string[]) {
      for (const { id, file, upload } of images) {
        if (upload?.state !== 'uploaded' || !lost.includes(uploadKey(upload.id))) continue
        put(id, file ? ready(id) : { state: 'error', text: itemTexts.uploadLost })
      }
      goOn()
    },
    /** MERCH-33: waits for all uploads; those that failed on the way or were stopped are tried once more. */
    async settle(): Promise<Settled> {
      for (const { id, upload } of images) if (mayRetry(upload)) retry(id)
      await new Promise<void>((done) => {
        const check = () => {
          if (category !== '' && images.some(({ upload }) => upload?.state === 'pending')) return
          listeners.delete(check)
          done()
        }
        listeners.add(check)
        check()
      })
      const left = images.find(({ upload }) => !isDone(upload))
      if (!left) return { ok: true, images: [...images] }
      return { ok: false, text: left.upload?.state === 'error' ? left.upload.text : itemTexts.uploadFailed }
    },
    appendTo: (form: FormData) => appendImages(form, images),
    /** What was changed is given up: back to what the item has; what was uploaded for it goes. */
    discard() {
      images.forEach(withdraw)
      images.forEach(giveBack)
      set(first)
    },
    /** The form leaves the page: what is on its way ends; what is stored waits for a draft, or is swept after a day. */
    close() {
      isOpen = false
      endAll()
    },
  }
}

const failed: Upload = { state: 'error', text: itemTexts.uploadFailed }
const giveBack = ({ src }: EditorImage) => src.startsWith('blob:') && URL.revokeObjectURL(src)
