/** The pictures of one conversation for its page. They are sent on when the page or the panel is left. */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { refusePicked } from '#app/features/uploads/picked-picture.ts'
import { discardUpload, sendPicture } from '#app/features/uploads/send-picture.ts'
import { shrinkPicture } from '#app/features/uploads/shrink-picture.ts'
import { openChatPictures, type ChatPicture, type ChatPictures } from './chat-pictures.ts'
import {
  chatPickTexts,
  MAX_MESSAGE_PICTURES,
  namesOfPictures,
  PICTURES_ADDRESS,
  PICTURES_FAILED,
  TOO_MANY_PICTURES,
} from './message-pictures.ts'
import type { Outgoing, Unsent } from './outgoing.ts'

const opened = new Map<string, ChatPictures>()

/** Browser only. */
export function chatPicturesOf(viewerId: string, orderId: string): ChatPictures {
  const key = `${viewerId} ${orderId}`
  const known = opened.get(key)
  if (known) return known
  const pictures = openChatPictures({
    shrink: shrinkPicture,
    send: (sending) => sendPicture({ ...sending, address: PICTURES_ADDRESS, fields: {} }),
    discard: (id) => discardUpload(PICTURES_ADDRESS, { id }),
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
    /** also those of messages on their way */
    list,
    chosen,
    error,
    /** The first file that does not fit is told; the fit ones are added all the same. */
    add(files: File[]) {
      const refusal = files.map(refusePicked).find((found) => found !== null)
      const fit = files.filter((file) => !refusePicked(file))
      const room = MAX_MESSAGE_PICTURES - chosen.length
      setError(fit.length > room ? TOO_MANY_PICTURES : refusal ? chatPickTexts[refusal] : null)
      pictures?.add(fit.slice(0, room))
    },
    remove(key: string) {
      setError(null)
      pictures?.remove(key)
    },
    retry: (key: string) => pictures?.retry(key),
    /** The fields of a message that takes what is chosen along; null: some of it failed, and its sender decides. */
    take(): Record<string, string> | null {
      const isStuck = chosen.some(({ upload }) => upload.state === 'error')
      setError(isStuck ? PICTURES_FAILED : null)
      return isStuck ? null : { pictures: pictures?.take().join() ?? '' }
    },
  }
}
