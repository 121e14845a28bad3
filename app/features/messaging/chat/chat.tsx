import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Link, useLocation, useRevalidator } from 'react-router'
import { connectivity } from '#client/connectivity.ts'
import { onDraftsDeleted } from '#client/drafts.ts'
import { useStore } from '#client/store.ts'
import type { Message } from '#conversation/message.ts'
import { messageTexts } from '#conversation/texts.ts'
import { useDroppedFiles } from '#images/use-dropped-files.ts'
import { newId15 } from '#lib/text/ids.ts'
import { ArrowDown, Image } from '#ui/icons.tsx'
import { withoutBefore } from '#ui/message-panel-url.ts'
import { Composer, ComposerImages, type ComposerProps, UploadState } from './composer.tsx'
import {
  type MessageImageUpload,
  isReferenced,
  messageImageUploadsFor,
  useMessageImageUploads,
  withUploadedImages,
} from '../images/message-image-uploads.ts'
import { namesOfImages } from '../images/message-images.ts'
import { type LogProps, MessageLog } from './message-log.tsx'
import {
  type OutgoingMessage,
  type SendQueue,
  createSendQueue,
  submitMessage,
  unsentStore,
} from './send-queue.ts'
import { chatTexts, messageImageTexts } from '../texts.ts'
import css from './chat.module.css'
import imagesCss from './message-images.module.css'

type ChatProps = LogProps &
  Pick<ComposerProps, 'action' | 'closedText' | 'refused' | 'prepared'> & { tools?: ReactNode }

export const Chat = (chat: ChatProps) =>
  chat.page.hasLater ? <MessageHistory {...chat} /> : <CurrentChat {...chat} />

function CurrentChat({ tools, ...chat }: ChatProps) {
  const { viewerId, orderId, page, closedText } = chat
  const frame = useRef<HTMLDivElement>(null)
  const { send, ...queue } = useOutgoing(viewerId, orderId, page.messages)
  const { outgoing } = queue
  const uploads = useMessageImageUploads(viewerId, orderId, outgoing)
  const isClosed = closedText !== null
  const seen = page.messages.at(-1)?.seq ?? 0
  const isHeld = useDroppedFiles(frame, (files) => isClosed || uploads.add(files))
  function sendNow(message: string) {
    const fields = uploads.take()
    if (!fields) return false
    send(message, { ...fields, seen: String(seen) })
    frame.current?.querySelector('[role=log]')?.scrollTo({ top: 0 })
    return true
  }

  return (
    <div
      className={`flex flex-col relative ${css.chat}`}
      ref={frame}
      data-held={(!isClosed && isHeld) || undefined}
    >
      <MessageLog {...chat}>
        {outgoing.length > 0 && (
          <OutgoingMessages
            {...queue}
            images={uploads.list}
            isClosed={isClosed}
          />
        )}
      </MessageLog>
      <Composer
        {...chat}
        seen={seen}
        send={sendNow}
      >
        {tools}
        <ComposerImages
          {...uploads}
          isClosed={isClosed}
        />
      </Composer>
      {!isClosed && isHeld && <p className={css.drop}>{chatTexts.drop}</p>}
    </div>
  )
}

/** Has no message field, because a page of older messages would not show a new message. [S-164] */
function MessageHistory(log: LogProps) {
  const { search } = useLocation()
  // The link to the newest messages disappears after the click and loses the focus.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) {
        document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
      }
    },
    [],
  )
  return (
    <div className={`flex flex-col relative ${css.chat}`}>
      <MessageLog {...log} />
      <p className={css.later}>
        <Link
          className="button quiet"
          to={{ search: withoutBefore(search) }}
          replace
          preventScrollReset
        >
          <ArrowDown size={18} /> {chatTexts.newestMessages}
        </Link>
      </p>
    </div>
  )
}

type OutgoingMessagesProps = Omit<ReturnType<typeof useOutgoing>, 'send'> & {
  images: readonly MessageImageUpload[]
  isClosed: boolean
}

function OutgoingMessages({ outgoing, images, isClosed, retry, discard }: OutgoingMessagesProps) {
  return outgoing.map(({ messageId, message, fields, state, error }) => {
    const imageNames = namesOfImages(fields)
    return (
      <li
        key={messageId}
        className={css.own}
        data-sender="own"
      >
        <span className="sr-only">{chatTexts.you}</span>
        {imageNames.length > 0 && (
          <OutgoingImages
            names={imageNames}
            images={images}
          />
        )}
        {(message !== '' || imageNames.length === 0) && (
          <p
            className={`m-0 ${css.text}`}
            dir="auto"
          >
            {message}
          </p>
        )}
        {state === 'failed' ? (
          <div className={`row text-sm ${css.failed}`}>
            <span>{error ?? messageTexts.notSent}</span>
            <span className="row">
              <button
                type="button"
                className={`font-semibold rounded-full ${css.act}`}
                disabled={isClosed}
                onClick={() => retry(messageId)}
              >
                {chatTexts.tryAgain}
              </button>
              <button
                type="button"
                className={`font-semibold rounded-full ${css.act}`}
                onClick={() => discard(messageId)}
              >
                {chatTexts.discard}
              </button>
            </span>
          </div>
        ) : (
          <span className={`flex items-center gap-3 tabular-nums ${css.time}`}>
            {state === 'sent' ? chatTexts.sent : chatTexts.sending}
          </span>
        )}
      </li>
    )
  })
}

type OutgoingImagesProps = { names: string[]; images: readonly MessageImageUpload[] }

function OutgoingImages({ names, images }: OutgoingImagesProps) {
  return (
    <span
      className={`grid gap-4 ${imagesCss.images}`}
      data-many={names.length > 1 || undefined}
    >
      {names.map((name, index) => {
        const image = images.find((upload) => isReferenced(upload, [name]))
        const label = messageImageTexts.fromYou(index + 1, names.length)
        return (
          <span
            className={imagesCss.one}
            key={name}
          >
            {image?.src ? (
              <img
                className={imagesCss.preview}
                src={image.src}
                alt={label}
              />
            ) : (
              <span className={imagesCss.waiting}>
                <Image
                  size={24}
                  aria-label={label}
                />
              </span>
            )}
            {image && (
              <UploadState
                upload={image.upload}
                name={messageImageTexts.imageNumber(index + 1)}
              />
            )}
          </span>
        )
      })}
    </span>
  )
}

/** Without a live update in this time, the page loads an accepted message itself. */
const REVALIDATE_AFTER_MS = 700

const sendQueues = new Map<string, SendQueue>()

export function sendQueueFor(viewerId: string, orderId: string) {
  const key = `${viewerId} ${orderId}`
  const existingQueue = sendQueues.get(key)
  if (existingQueue) return existingQueue
  const store = unsentStore(viewerId, orderId)
  const queue = createSendQueue({
    store,
    now: Date.now,
    async post(unsent) {
      const uploaded = await withUploadedImages(viewerId, orderId, unsent)
      if (!uploaded.ok) return { ok: false, isRefused: true, error: uploaded.text }
      // Stores the server's image ids, because a reloaded page does not know the local ids.
      if (uploaded.unsent !== unsent) store.keep(uploaded.unsent)
      return submitMessage(viewerId, orderId, uploaded.unsent)
    },
  })
  sendQueues.set(key, queue)
  connectivity.subscribe(() => connectivity.isLost() || queue.resume())
  onDraftsDeleted(() => {
    queue.clear()
    messageImageUploadsFor(viewerId, orderId).clear()
  })
  queue.start()
  return queue
}

const noMessages: OutgoingMessage[] = []

function useOutgoing(viewerId: string, orderId: string, messages: Message[]) {
  const { revalidate } = useRevalidator()
  const queue = typeof window === 'undefined' ? null : sendQueueFor(viewerId, orderId)
  const all = useStore(queue, noMessages)
  const arrived = useMemo(() => new Set(messages.map(({ id }) => id)), [messages])
  const outgoing = all.filter(({ messageId }) => !arrived.has(messageId))
  const accepted = outgoing.find(({ state }) => state === 'sent')?.messageId

  useEffect(() => queue?.arrived((id) => arrived.has(id)), [queue, arrived])
  useEffect(() => {
    if (!accepted || !queue) return
    const before = queue.read().filter(({ state }) => state === 'sent')
    const timer = setTimeout(
      () =>
        void revalidate().then(() =>
          queue.arrived((id) => before.some(({ messageId }) => messageId === id)),
        ),
      REVALIDATE_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [queue, accepted, revalidate])

  return {
    outgoing,
    send: (message: string, fields: Record<string, string>) =>
      queue?.send({ messageId: newId15(), message, fields }),
    retry: (messageId: string) => queue?.retry(messageId),
    discard(messageId: string) {
      const message = outgoing.find((candidate) => candidate.messageId === messageId)
      messageImageUploadsFor(viewerId, orderId).giveUp(namesOfImages(message?.fields))
      queue?.discard(messageId)
    },
  }
}
