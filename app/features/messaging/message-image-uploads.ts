/** Holds the images that the user has chosen for a conversation, and their uploads, outside of React. */
import type { UploadAdapters } from '#app/features/images/image-upload-queue.ts'
import {
  createImageUploadQueue,
  newUpload,
  discardUpload,
  resizeImage,
  uploadImage,
} from '#app/features/images/image-upload-queue.ts'
import type { QueuedImage, Upload } from '#app/features/images/image-upload.ts'
import { isId15, newId8 } from '#app/lib/text/ids.ts'
import { MAX_MESSAGE_PICTURES, namesOfPictures, PICTURES_ADDRESS } from './message-images.ts'
import { messageImageTexts } from './texts.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { validateFile } from '#app/features/images/image-upload.ts'
import { itemFileErrorTexts } from '#app/features/images/texts.ts'
import type { OutgoingMessage, UnsentMessage } from './send-queue.ts'

/** `isGoing` is true after the writer has sent the message with this image. */
export type MessageImageUpload = QueuedImage & { file: File; upload: Upload; isGoing: boolean }
type MessageImageUploads = ReturnType<typeof createMessageImageUploads>

const uploadId = ({ upload }: MessageImageUpload) =>
  upload.state === 'uploaded' ? upload.id : null
/** Returns true if `names` contains the local id or the upload id of the image. */
export const isReferenced = (picture: MessageImageUpload, names: readonly string[]) =>
  names.includes(picture.id) || names.includes(uploadId(picture) ?? '')

export function createMessageImageUploads(adapters: UploadAdapters) {
  const queue = createImageUploadQueue<MessageImageUpload>(adapters, messageImageTexts.failed)
  const { subscribe, read, retry } = queue
  const find = (name: string) => read().find((picture) => isReferenced(picture, [name]))

  return {
    subscribe,
    read,
    retry,
    add: (files: readonly File[]) =>
      queue.add(
        files.map((file) => ({ ...newUpload(file), file, id: `new-${newId8()}`, isGoing: false })),
      ),
    remove: (id: string) => queue.remove((picture) => picture.id === id),
    take(): string[] {
      const taken = read().filter(({ isGoing }) => !isGoing)
      if (taken.length > 0) queue.set(read().map((picture) => ({ ...picture, isGoing: true })))
      return taken.map((picture) => uploadId(picture) ?? picture.id)
    },
    /** Retries the failed uploads of a message, and waits until each of its uploads has succeeded or failed. */
    async settle(
      names: readonly string[],
    ): Promise<{ ok: true; ids: string[] } | { ok: false; text: string }> {
      // A reload of the page loses each image that was not uploaded yet. Such an image has only a local id, which is not an id15.
      if (names.some((name) => !find(name) && !isId15(name)))
        return { ok: false, text: messageImageTexts.notUploaded }
      names.forEach(retry)
      await queue.settled((picture) => isReferenced(picture, names))
      const ids: string[] = []
      for (const name of names) {
        const picture = find(name)
        if (picture?.upload.state === 'error') return { ok: false, text: picture.upload.text }
        const id = picture ? uploadId(picture) : name
        if (!id || !isId15(id)) return { ok: false, text: messageImageTexts.notUploaded }
        ids.push(id)
      }
      return { ok: true, ids }
    },
    /** Deletes the images of a discarded message in the browser and on the server. */
    giveUp(names: readonly string[]) {
      const unknown = names.filter((name) => isId15(name) && !find(name))
      queue.remove((picture) => isReferenced(picture, names))
      for (const id of unknown) adapters.discard({ state: 'uploaded', id, url: '' })
    },
    /** Removes all images after a logout. The server deletes their uploads after a day. [S-171, S-175] */
    clear: () => queue.remove(() => true, true),
    /** Removes the previews of sent images that are not in `names`, because the page now shows the messages with these images. */
    keepOnly: (names: readonly string[]) =>
      queue.remove((picture) => picture.isGoing && !isReferenced(picture, names), true),
  }
}

const instances = new Map<string, MessageImageUploads>()

export function messageImageUploadsFor(viewerId: string, orderId: string): MessageImageUploads {
  const key = `${viewerId} ${orderId}`
  const known = instances.get(key)
  if (known) return known
  const pictures = createMessageImageUploads({
    resize: resizeImage,
    upload: (request) => uploadImage({ ...request, address: PICTURES_ADDRESS, fields: {} }),
    discard: ({ id }) => discardUpload(PICTURES_ADDRESS, { id }),
  })
  instances.set(key, pictures)
  return pictures
}

/** Waits for the uploads of a message, and replaces their local ids by the upload ids. Later messages wait in the queue during these uploads. [S-173] */
export async function withUploadedImages(
  viewerId: string,
  orderId: string,
  one: UnsentMessage,
): Promise<{ ok: true; one: UnsentMessage } | { ok: false; text: string }> {
  const names = namesOfPictures(one.fields)
  if (names.length === 0) return { ok: true, one }
  const settled = await messageImageUploadsFor(viewerId, orderId).settle(names)
  return settled.ok
    ? { ok: true, one: { ...one, fields: { ...one.fields, pictures: settled.ids.join() } } }
    : settled
}

const none: readonly MessageImageUpload[] = []
const never = () => () => {}

/** Returns the images of the next message, and the previews of images in the unsent messages `outgoing`. */
export function useMessageImageUploads(
  viewerId: string,
  orderId: string,
  outgoing: readonly OutgoingMessage[],
) {
  const isBrowser = typeof window !== 'undefined'
  const pictures = isBrowser ? messageImageUploadsFor(viewerId, orderId) : null
  const list = useSyncExternalStore(
    pictures?.subscribe ?? never,
    pictures?.read ?? (() => none),
    () => none,
  )
  const names = outgoing.flatMap(({ fields }) => namesOfPictures(fields)).join()
  useEffect(() => pictures?.keepOnly(names.split(',')), [pictures, names])
  const chosen = list.filter(({ isGoing }) => !isGoing)
  const [error, setError] = useState<string | null>(null)

  return {
    list,
    chosen,
    error,
    /** Adds the suitable files, and shows an error about unsuitable or too many files. */
    add(files: File[]) {
      const refusal = files.map(validateFile).find((found) => found !== null)
      const fit = files.filter((file) => !validateFile(file))
      const room = MAX_MESSAGE_PICTURES - chosen.length
      setError(
        fit.length > room
          ? messageImageTexts.tooMany
          : refusal
            ? itemFileErrorTexts[refusal]
            : null,
      )
      pictures?.add(fit.slice(0, room))
    },
    remove(id: string) {
      setError(null)
      pictures?.remove(id)
    },
    retry: (id: string) => pictures?.retry(id),
    /** Assigns the chosen images to the next message, and returns the form fields of the message. Returns null if an upload has failed. */
    take(): Record<string, string> | null {
      const isStuck = chosen.some(({ upload }) => upload.state === 'error')
      setError(isStuck ? messageImageTexts.someFailed : null)
      return isStuck ? null : { pictures: pictures?.take().join() ?? '' }
    },
  }
}
