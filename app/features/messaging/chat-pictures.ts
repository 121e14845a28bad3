/** The pictures of one conversation that are chosen or on their way, outside React (025). */
import {
  createImageUploadQueue,
  newUpload,
  type UploadAdapters,
  discardUpload,
  resizeImage,
  uploadImage,
} from '#app/features/images/image-upload-queue.ts'
import type { QueuedImage, Upload } from '#app/features/images/picture-upload.ts'
import { isId15, newId8 } from '#app/platform/ids.ts'
import {
  PICTURE_FAILED,
  PICTURES_LEFT,
  MAX_MESSAGE_PICTURES,
  namesOfPictures,
  PICTURES_ADDRESS,
  PICTURES_FAILED,
  TOO_MANY_PICTURES,
} from './message-pictures.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { itemPickTexts, refusePicked } from '#app/features/images/picture-upload.ts'
import type { Outgoing, Unsent } from './send-queue.ts'

/** `isGoing`: its message is sent; it is no longer in the box. */
export type ChatPicture = QueuedImage & { file: File; upload: Upload; isGoing: boolean }
type ChatPictures = ReturnType<typeof createChatPictures>

const uploadId = ({ upload }: ChatPicture) => (upload.state === 'uploaded' ? upload.id : null)
/** Messages name a picture by the browser's id, or by the id of its upload. */
export const isNamed = (picture: ChatPicture, names: readonly string[]) =>
  names.includes(picture.id) || names.includes(uploadId(picture) ?? '')

export function createChatPictures(adapters: UploadAdapters) {
  const queue = createImageUploadQueue<ChatPicture>(adapters, PICTURE_FAILED)
  const { subscribe, read, retry } = queue
  const find = (name: string) => read().find((picture) => isNamed(picture, [name]))

  return {
    subscribe,
    read,
    retry,
    add: (files: readonly File[]) => queue.add(files.map((file) => ({ ...newUpload(file), file, id: `new-${newId8()}`, isGoing: false }))),
    remove: (id: string) => queue.remove((picture) => picture.id === id),
    take(): string[] {
      const taken = read().filter(({ isGoing }) => !isGoing)
      if (taken.length > 0) queue.set(read().map((picture) => ({ ...picture, isGoing: true })))
      return taken.map((picture) => uploadId(picture) ?? picture.id)
    },
    /** Waits until all of a message's pictures are in the shop; what failed is tried once more. */
    async settle(names: readonly string[]): Promise<{ ok: true; ids: string[] } | { ok: false; text: string }> {
      // From before the page was loaded: the shop has it, or nobody has.
      if (names.some((name) => !find(name) && !isId15(name))) return { ok: false, text: PICTURES_LEFT }
      names.forEach(retry)
      await queue.settled((picture) => isNamed(picture, names))
      const ids: string[] = []
      for (const name of names) {
        const picture = find(name)
        if (picture?.upload.state === 'error') return { ok: false, text: picture.upload.text }
        const id = picture ? uploadId(picture) : name
        if (!id || !isId15(id)) return { ok: false, text: PICTURES_LEFT }
        ids.push(id)
      }
      return { ok: true, ids }
    },
    /** A message is given up: its pictures are deleted, here and in the shop. */
    giveUp(names: readonly string[]) {
      const unknown = names.filter((name) => isId15(name) && !find(name))
      queue.remove((picture) => isNamed(picture, names))
      for (const id of unknown) adapters.discard({ state: 'uploaded', id, url: '' })
    },
    /** Drops the previews of messages that have arrived; they show what the shop has. */
    keepOnly: (names: readonly string[]) => queue.remove((picture) => picture.isGoing && !isNamed(picture, names), true),
  }
}

const opened = new Map<string, ChatPictures>()

export function chatPicturesOf(viewerId: string, orderId: string): ChatPictures {
  const key = `${viewerId} ${orderId}`
  const known = opened.get(key)
  if (known) return known
  const pictures = createChatPictures({
    resize: resizeImage,
    upload: (request) => uploadImage({ ...request, address: PICTURES_ADDRESS, fields: {} }),
    discard: ({ id }) => discardUpload(PICTURES_ADDRESS, { id }),
  })
  opened.set(key, pictures)
  return pictures
}

/** S-173: a message waits for its pictures, and those behind it wait for it; the ids of what is there replace the keys. */
export async function withSentPictures(
  viewerId: string,
  orderId: string,
  one: Unsent,
): Promise<{ ok: true; one: Unsent } | { ok: false; text: string }> {
  const names = namesOfPictures(one.fields)
  if (names.length === 0) return { ok: true, one }
  const settled = await chatPicturesOf(viewerId, orderId).settle(names)
  return settled.ok ? { ok: true, one: { ...one, fields: { ...one.fields, pictures: settled.ids.join() } } } : settled
}

const none: readonly ChatPicture[] = []
const never = () => () => {}

/** `outgoing`: what is on its way shows the previews of its pictures. */
export function useChatPictures(viewerId: string, orderId: string, outgoing: readonly Outgoing[]) {
  const isBrowser = typeof window !== 'undefined'
  const pictures = isBrowser ? chatPicturesOf(viewerId, orderId) : null
  const list = useSyncExternalStore(pictures?.subscribe ?? never, pictures?.read ?? (() => none), () => none)
  const names = outgoing.flatMap(({ fields }) => namesOfPictures(fields)).join()
  // Previews live outside React and must be given back.
  useEffect(() => pictures?.keepOnly(names.split(',')), [pictures, names])
  const chosen = list.filter(({ isGoing }) => !isGoing)
  const [error, setError] = useState<string | null>(null)

  return {
    list,
    chosen,
    error,
    /** The first file that does not fit is told; the fit ones are added all the same. */
    add(files: File[]) {
      const refusal = files.map(refusePicked).find((found) => found !== null)
      const fit = files.filter((file) => !refusePicked(file))
      const room = MAX_MESSAGE_PICTURES - chosen.length
      setError(fit.length > room ? TOO_MANY_PICTURES : refusal ? itemPickTexts[refusal] : null)
      pictures?.add(fit.slice(0, room))
    },
    remove(id: string) {
      setError(null)
      pictures?.remove(id)
    },
    retry: (id: string) => pictures?.retry(id),
    /** The fields of a message that takes what is chosen along; null: some of it failed, and its sender decides. */
    take(): Record<string, string> | null {
      const isStuck = chosen.some(({ upload }) => upload.state === 'error')
      setError(isStuck ? PICTURES_FAILED : null)
      return isStuck ? null : { pictures: pictures?.take().join() ?? '' }
    },
  }
}
