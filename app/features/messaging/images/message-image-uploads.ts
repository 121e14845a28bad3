import { useEffect, useState } from 'react'
import { useStore } from '#client/store.ts'
import {
  type UploadAdapters,
  createImageUploadQueue,
  discardUpload,
  newUpload,
  resizeImage,
  uploadImage,
} from '#images/image-upload-queue.ts'
import { type QueuedImage, type Upload, validateFile } from '#images/image-upload.ts'
import { itemFileErrorTexts } from '#images/texts.ts'
import { isId15, newId8 } from '#lib/text/ids.ts'
import { IMAGES_URL, MAX_MESSAGE_IMAGES, namesOfImages } from './message-images.ts'
import type { OutgoingMessage, UnsentMessage } from '../chat/send-queue.ts'
import { messageImageTexts } from '../texts.ts'

export type MessageImageUpload = QueuedImage & { file: File; upload: Upload; isGoing: boolean }
type MessageImageUploads = ReturnType<typeof createMessageImageUploads>

const uploadId = ({ upload }: MessageImageUpload) =>
  upload.state === 'uploaded' ? upload.id : null
export const isReferenced = (image: MessageImageUpload, names: string[]) =>
  names.includes(image.id) || names.includes(uploadId(image) ?? '')

export function createMessageImageUploads(adapters: UploadAdapters) {
  const queue = createImageUploadQueue<MessageImageUpload>(adapters, messageImageTexts.failed)
  const { subscribe, read, retry } = queue
  const find = (name: string) => read().find((image) => isReferenced(image, [name]))

  return {
    subscribe,
    read,
    retry,
    add: (files: File[]) =>
      queue.add(
        files.map((file) => ({ ...newUpload(file), file, id: `new-${newId8()}`, isGoing: false })),
      ),
    remove: (id: string) => queue.remove((image) => image.id === id),
    take() {
      const sentImages = read().filter(({ isGoing }) => !isGoing)
      if (sentImages.length > 0) queue.set(read().map((image) => ({ ...image, isGoing: true })))
      return sentImages.map((image) => uploadId(image) ?? image.id)
    },
    async settle(
      names: string[],
    ): Promise<{ ok: true; ids: string[] } | { ok: false; text: string }> {
      // A reload has lost each image that has only a local id.
      if (names.some((name) => !find(name) && !isId15(name))) {
        return { ok: false, text: messageImageTexts.notUploaded }
      }
      names.forEach(retry)
      await queue.settled((image) => isReferenced(image, names))
      const ids: string[] = []
      for (const name of names) {
        const image = find(name)
        if (image?.upload.state === 'error') return { ok: false, text: image.upload.text }
        const id = image ? uploadId(image) : name
        if (!id || !isId15(id)) return { ok: false, text: messageImageTexts.notUploaded }
        ids.push(id)
      }
      return { ok: true, ids }
    },
    giveUp(names: string[]) {
      const unknown = names.filter((name) => isId15(name) && !find(name))
      queue.remove((image) => isReferenced(image, names))
      for (const id of unknown) adapters.discard({ state: 'uploaded', id, url: '' })
    },
    /** Forgets the images after a logout, but keeps the uploads, which the server deletes later. */
    clear: () => queue.remove(() => true, true),
    keepOnly: (names: string[]) =>
      queue.remove((image) => image.isGoing && !isReferenced(image, names), true),
  }
}

const instances = new Map<string, MessageImageUploads>()

export function messageImageUploadsFor(viewerId: string, orderId: string) {
  const key = `${viewerId} ${orderId}`
  const existingUploads = instances.get(key)
  if (existingUploads) return existingUploads
  const uploads = createMessageImageUploads({
    resize: resizeImage,
    upload: (request) => uploadImage({ ...request, address: IMAGES_URL, fields: {} }),
    discard: ({ id }) => discardUpload(IMAGES_URL, { id }),
  })
  instances.set(key, uploads)
  return uploads
}

/** Replaces the local image ids by the server's. Later messages wait until then. [S-173] */
export async function withUploadedImages(viewerId: string, orderId: string, unsent: UnsentMessage) {
  const names = namesOfImages(unsent.fields)
  if (names.length === 0) return { ok: true as const, unsent }
  const settled = await messageImageUploadsFor(viewerId, orderId).settle(names)
  if (!settled.ok) return settled
  const fields = { ...unsent.fields, images: settled.ids.join() }
  return { ok: true as const, unsent: { ...unsent, fields } }
}

const noUploads: readonly MessageImageUpload[] = []

export function useMessageImageUploads(
  viewerId: string,
  orderId: string,
  outgoing: OutgoingMessage[],
) {
  const isBrowser = typeof window !== 'undefined'
  const uploads = isBrowser ? messageImageUploadsFor(viewerId, orderId) : null
  const list = useStore(uploads, noUploads)
  const names = outgoing.flatMap(({ fields }) => namesOfImages(fields)).join()
  useEffect(() => uploads?.keepOnly(names.split(',')), [uploads, names])
  const chosen = list.filter(({ isGoing }) => !isGoing)
  const [error, setError] = useState<string | null>(null)

  return {
    list,
    chosen,
    error,
    add(files: File[]) {
      const refusal = files.map(validateFile).find((code) => code !== null)
      const fit = files.filter((file) => !validateFile(file))
      const room = MAX_MESSAGE_IMAGES - chosen.length
      const refusalText = refusal ? itemFileErrorTexts[refusal] : null
      setError(fit.length > room ? messageImageTexts.tooMany : refusalText)
      uploads?.add(fit.slice(0, room))
    },
    remove(id: string) {
      setError(null)
      uploads?.remove(id)
    },
    retry: (id: string) => uploads?.retry(id),
    take() {
      const isStuck = chosen.some(({ upload }) => upload.state === 'error')
      setError(isStuck ? messageImageTexts.someFailed : null)
      return isStuck ? null : { images: uploads?.take().join() ?? '' }
    },
  }
}
