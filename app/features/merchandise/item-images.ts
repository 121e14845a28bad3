/** The images of the item form while it is open: chosen files go out in the background, one image after the other (MERCH-18, MERCH-33). */
import { variantUrl } from '#app/ui/picture.tsx'
import type { Item } from '#app/features/catalog/catalog.ts'
import { moveImage, numbered, uploadKey, type EditorImage, type Upload } from '#app/features/uploads/picture-upload.ts'
import type { Sending } from '#app/features/uploads/send-picture.ts'
import { itemTexts } from './item-input.ts'

/** How many are on their way at once: the next one goes out while the shop stores the last. */
const MOST_AT_ONCE = 2
export const STOPPED_TEXT = 'Stopped. It is sent when you save.'

export type Settled = { ok: true; images: EditorImage[] } | { ok: false; text: string }
export type Ways = {
  send: (sending: Sending) => Promise<Upload | null>
  discard: (url: string) => void
  tell: (text: string) => void
}

export const storedImages = (item: Item | null): EditorImage[] =>
  (item?.pictures ?? []).map(({ id, picture, colorIds, isAvailable }, index) => ({
    index,
    id,
    file: null,
    src: variantUrl(picture.url, picture.widths[0] ?? picture.width),
    colors: colorIds,
    isAvailable,
    upload: null,
  }))

export type ItemImages = ReturnType<typeof openItemImages>

/** Lives outside React, which follows it by `subscribe` and `read`. */
export function openItemImages(first: readonly EditorImage[], ways: Ways) {
  let images: readonly EditorImage[] = first
  let category = ''
  const listeners = new Set<() => void>()
  /** of the uploads that are on their way, by the image's id */
  const underWay = new Map<string, AbortController>()

  function set(next: readonly EditorImage[]) {
    images = numbered(next)
    for (const listener of [...listeners]) listener()
  }
  const find = (id: string) => images.find((image) => image.id === id)
  const change = (id: string, part: Partial<EditorImage>) => set(images.map((image) => (image.id === id ? { ...image, ...part } : image)))
  const put = (id: string, upload: Upload) => change(id, { upload })

  function sendNext() {
    while (category !== '' && underWay.size < MOST_AT_ONCE) {
      const next = images.find(({ id, upload }) => isWaiting(upload) && !underWay.has(id))
      if (!next?.file) return
      void send(next.id, next.file)
    }
  }

  async function send(id: string, file: File) {
    const controller = new AbortController()
    underWay.set(id, controller)
    const { signal } = controller
    const onChange = (upload: Upload) => !signal.aborted && put(id, upload)
    const upload = await ways.send({ categoryId: category, file, name: file.name, signal, onChange }).catch(() => null)
    if (underWay.get(id) === controller) underWay.delete(id)
    if (signal.aborted) {
      // It may have been stored all the same, just before.
      if (upload?.state === 'uploaded') ways.discard(upload.url)
    } else {
      put(id, upload ?? { state: 'error', text: itemTexts.uploadFailed })
      if (upload?.state !== 'uploaded') ways.tell(upload?.state === 'error' ? upload.text : itemTexts.uploadFailed)
    }
    sendNext()
  }

  /** Ends what is on its way; what is stored goes again. */
  function withdraw({ id, upload }: EditorImage) {
    underWay.get(id)?.abort()
    underWay.delete(id)
    if (upload?.state === 'uploaded') ways.discard(upload.url)
  }
  const giveBack = ({ src }: EditorImage) => src.startsWith('blob:') && URL.revokeObjectURL(src)

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    read: () => images,
    /** S-096: what is stored already stays where it is. */
    setCategory(id: string) {
      category = id
      sendNext()
    },
    /** Files that passed `refusePicked`, in their order. */
    add(files: readonly File[]) {
      set([...images, ...files.map(newImage)])
      sendNext()
    },
    /** Images of a draft: new ones may have a file, an upload, or both. */
    restore(kept: readonly EditorImage[]) {
      set(
        kept.map((image) => {
          if (!image.file) return image
          const upload: Upload = image.upload?.state === 'uploaded' ? image.upload : { state: 'pending', step: 'waiting' }
          return { ...image, id: newId(), src: URL.createObjectURL(image.file), upload }
        }),
      )
      sendNext()
    },
    change: (id: string, part: Partial<Pick<EditorImage, 'colors' | 'isAvailable'>>) => change(id, part),
    move: (from: number, to: number) => set(moveImage(images, from, to)),
    remove(id: string) {
      const image = find(id)
      if (!image) return
      withdraw(image)
      giveBack(image)
      set(images.filter((one) => one !== image))
      sendNext()
    },
    cancel(id: string) {
      const image = find(id)
      if (image?.upload?.state !== 'pending') return
      withdraw(image)
      put(id, { state: 'error', text: STOPPED_TEXT })
      sendNext()
    },
    retry(id: string) {
      if (find(id)?.upload?.state !== 'error') return
      put(id, { state: 'pending', step: 'waiting' })
      sendNext()
    },
    /** After a save that failed: its uploads may be gone, so those whose files are at hand go out anew. */
    sendAgain() {
      for (const image of images.filter(({ file, upload }) => file && upload)) {
        withdraw(image)
        put(image.id, { state: 'pending', step: 'waiting' })
      }
      sendNext()
    },
    /** MERCH-33: waits for all uploads; those that failed or were stopped are tried once more. */
    async settle(): Promise<Settled> {
      for (const { id, upload } of images) if (mayRetry(upload)) this.retry(id)
      await new Promise<void>((done) => {
        const check = () => {
          if (images.some(({ upload }) => upload?.state === 'pending') && category !== '') return
          listeners.delete(check)
          done()
        }
        listeners.add(check)
        check()
      })
      const failed = images.find(({ upload }) => upload !== null && upload.state !== 'uploaded')
      if (!failed) return { ok: true, images: [...images] }
      return { ok: false, text: failed.upload?.state === 'error' ? failed.upload.text : itemTexts.uploadFailed }
    },
    /** Writes the images into what the form sends, instead of what its own fields say of them. */
    appendTo(form: FormData) {
      form.delete('files')
      form.delete('picture')
      for (const image of images) {
        const key = keyOf(image)
        form.append('picture', key)
        form.delete(`color:${key}`)
        for (const color of image.colors) form.append(`color:${key}`, color)
        if (image.isAvailable) form.set(`available:${key}`, 'on')
        else form.delete(`available:${key}`)
      }
    },
    /** The form is given up for good: what it uploaded goes. */
    discard() {
      images.forEach(withdraw)
    },
    /** The form leaves the page: what is on its way ends, what is stored waits for a draft, or is swept after a day. */
    close() {
      for (const controller of underWay.values()) controller.abort()
      underWay.clear()
      images.forEach(giveBack)
    },
  }
}

const isWaiting = (upload: Upload | null) => upload?.state === 'pending' && upload.step === 'waiting'
/** A file that the shop refused is refused again; what failed on the way may pass. */
export const mayRetry = (upload: Upload | null): boolean =>
  upload?.state === 'error' && (upload.text === itemTexts.uploadFailed || upload.text === STOPPED_TEXT)
const keyOf = ({ id, upload }: EditorImage) => (upload?.state === 'uploaded' ? uploadKey(upload.id) : id)

let ids = 0
const newId = () => `new-${++ids}`
const newImage = (file: File): EditorImage => ({
  index: 0,
  id: newId(),
  file,
  src: URL.createObjectURL(file),
  colors: [],
  isAvailable: true,
  upload: { state: 'pending', step: 'waiting' },
})
