import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { Link, useLocation, useRevalidator } from 'react-router'
import { ArrowDown, Image } from '#app/ui/icons.tsx'
import { useDroppedFiles } from '#app/features/images/use-dropped-files.ts'
import type { Message } from '#app/features/orders/order.ts'
import { messageTexts } from '#app/features/orders/texts.ts'
import { ComposerImages, UploadState } from './composer-images.tsx'
import { Composer, type ComposerProps, type RefusedMessage } from './composer.tsx'
import { type LogProps, MessageLog } from './message-log.tsx'
import type { MessageImageUpload } from './message-image-uploads.ts'
import {
  messageImageUploadsFor,
  isReferenced,
  useMessageImageUploads,
  withUploadedImages,
} from './message-image-uploads.ts'
import { withoutBefore } from '#app/ui/message-panel-url.ts'
import { namesOfPictures } from './message-images.ts'
import type { DeliveryResult, SendQueue, OutgoingMessage, UnsentMessage } from './send-queue.ts'
import { createSendQueue, submitMessage, unsentStore } from './send-queue.ts'
import { chatTexts } from './texts.ts'
import css from './chat.module.css'
import cssMessagePictures from './message-images.module.css'
import { connectivity } from '#app/client/connectivity.ts'
import { onDraftsDeleted } from '#app/client/drafts.ts'
import { newId15 } from '#app/lib/text/ids.ts'

type Props = LogProps &
  Pick<ComposerProps, 'action' | 'closedText' | 'refused'> & { tools?: ReactNode }
export type { RefusedMessage }

export function Chat({ action, closedText, refused, tools, ...log }: Props) {
  const { viewerId, orderId } = log
  const frame = useRef<HTMLDivElement>(null)
  const { outgoing, send, retry, discard } = useOutgoing(viewerId, orderId, log.page.messages)
  const pictures = useMessageImageUploads(viewerId, orderId, outgoing)
  const isClosed = closedText !== null
  const seen = log.page.messages.at(-1)?.seq ?? 0
  const held = useDroppedFiles(frame, (files) => isClosed || pictures.add(files))
  function sendNow(message: string) {
    const fields = pictures.take()
    if (!fields) return false
    send(message, { ...fields, seen: String(seen) })
    frame.current?.querySelector('[role=log]')?.scrollTo({ top: 0 })
    return true
  }

  return (
    <div
      className={`column anchor ${css.chat}`}
      ref={frame}
      data-held={(!isClosed && held) || undefined}
    >
      <MessageLog {...log}>
        {outgoing.length > 0 && (
          <OutgoingMessages
            {...{ outgoing, isClosed, retry, discard }}
            pictures={pictures.list}
          />
        )}
      </MessageLog>
      <Composer
        {...{ viewerId, orderId, action, closedText, refused, seen }}
        send={sendNow}
      >
        {tools}
        <ComposerImages
          {...pictures}
          isClosed={isClosed}
        />
      </Composer>
      {!isClosed && held && <p className={css.drop}>{chatTexts.drop}</p>}
    </div>
  )
}

/** Shows a page of earlier messages without a message field, because a new message would not be displayed on this page. [S-164] */
export function MessageHistory(log: LogProps) {
  const { search } = useLocation()
  // A click on the link to the newest messages removes this link, which had the focus. The focus then moves to the message log.
  useEffect(
    () => () => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <div className={`column anchor ${css.chat}`}>
      <MessageLog {...log} />
      <p className={css.later}>
        <Link
          className="button quiet"
          to={{ search: withoutBefore(search) }}
          replace
          preventScrollReset
        >
          <ArrowDown
            size={18}
            aria-hidden
          />{' '}
          {chatTexts.newestMessages}
        </Link>
      </p>
    </div>
  )
}

type OutgoingMessagesProps = Pick<
  ReturnType<typeof useOutgoing>,
  'outgoing' | 'retry' | 'discard'
> & {
  pictures: readonly MessageImageUpload[]
  isClosed: boolean
}

/** Shows the messages of the send queue as list items below the last stored message. [CHAT-14, S-169] */
function OutgoingMessages({ outgoing, pictures, isClosed, retry, discard }: OutgoingMessagesProps) {
  return outgoing.map((one) => {
    const { messageId, message, state, error } = one
    const hasPictures = namesOfPictures(one.fields).length > 0
    return (
      <li
        key={messageId}
        className={css.own}
        data-sender="own"
      >
        <span className="visually-hidden">{chatTexts.you}</span>
        <OutgoingPictures
          outgoing={one}
          pictures={pictures}
        />
        {(message !== '' || !hasPictures) && (
          <p
            className={`flush ${css.text}`}
            dir="auto"
          >
            {message}
          </p>
        )}
        {state === 'failed' ? (
          <div className={`cluster small ${css.failed}`}>
            <span>{error ?? messageTexts.notSent}</span>
            <span className="cluster">
              <button
                type="button"
                className={`strong round ${css.act}`}
                disabled={isClosed}
                onClick={() => retry(messageId)}
              >
                {chatTexts.tryAgain}
              </button>
              <button
                type="button"
                className={`strong round ${css.act}`}
                onClick={() => discard(messageId)}
              >
                {chatTexts.discard}
              </button>
            </span>
          </div>
        ) : (
          <span className={`row tabular ${css.time}`}>
            {state === 'sent' ? chatTexts.sent : chatTexts.sending}
          </span>
        )}
      </li>
    )
  })
}

function OutgoingPictures({
  outgoing: { fields },
  pictures,
}: {
  outgoing: OutgoingMessage
  pictures: readonly MessageImageUpload[]
}) {
  const names = namesOfPictures(fields)
  if (names.length === 0) return null
  return (
    <span
      className={`stack ${cssMessagePictures.pictures}`}
      data-many={names.length > 1 || undefined}
    >
      {names.map((name, at) => {
        const picture = pictures.find((one) => isReferenced(one, [name]))
        return (
          <span
            className={cssMessagePictures.one}
            key={name}
          >
            {picture?.src ? (
              <img
                className={cssMessagePictures.preview}
                src={picture.src}
                alt={`${at + 1} of ${names.length}, from you`}
              />
            ) : (
              // An image has no preview after a reload of the page, or if the browser cannot show its format.
              <span className={cssMessagePictures.waiting}>
                <Image
                  size={24}
                  aria-label={`${at + 1} of ${names.length}, from you`}
                />
              </span>
            )}
            {picture && (
              <UploadState
                upload={picture.upload}
                name={`picture ${at + 1}`}
              />
            )}
          </span>
        )
      })}
    </span>
  )
}

/** After the server has accepted a message, the page waits this number of milliseconds for a live update. Without an update, the page then loads its data itself. */
const REVALIDATE_AFTER_MS = 700

const sendQueues = new Map<string, SendQueue>()

export function sendQueueFor(viewerId: string, orderId: string): SendQueue {
  const key = `${viewerId} ${orderId}`
  const known = sendQueues.get(key)
  if (known) return known
  const store = unsentStore(viewerId, orderId)
  const post = async (unsent: UnsentMessage): Promise<DeliveryResult> => {
    const ready = await withUploadedImages(viewerId, orderId, unsent)
    if (!ready.ok) return { ok: false, isRefused: true, error: ready.text }
    // Stores the upload ids of the images, because a reloaded page no longer knows their local ids.
    if (ready.one !== unsent) store.keep(ready.one)
    return submitMessage(viewerId, orderId, ready.one)
  }
  const outbox = createSendQueue({ post, store, now: Date.now })
  sendQueues.set(key, outbox)
  connectivity.subscribe(() => connectivity.isLost() || outbox.resume())
  onDraftsDeleted(() => {
    outbox.clear()
    messageImageUploadsFor(viewerId, orderId).clear()
  })
  outbox.start()
  return outbox
}
const none: readonly OutgoingMessage[] = []
const noneOnServer = () => none

/** Returns the messages of this browser's send queue that are not yet among `messages`. [CHAT-14, S-169 to S-171] */
function useOutgoing(viewerId: string, orderId: string, messages: readonly Message[]) {
  const { revalidate } = useRevalidator()
  const store = useMemo(
    () => ({
      subscribe: (listener: () => void) => sendQueueFor(viewerId, orderId).subscribe(listener),
      list: () => sendQueueFor(viewerId, orderId).list(),
    }),
    [viewerId, orderId],
  )
  const all = useSyncExternalStore(store.subscribe, store.list, noneOnServer)
  const arrived = useMemo(() => new Set(messages.map(({ id }) => id)), [messages])
  const outgoing = all.filter(({ messageId }) => !arrived.has(messageId))
  const accepted = outgoing.find(({ state }) => state === 'sent')?.messageId

  useEffect(
    () => sendQueueFor(viewerId, orderId).arrived((id) => arrived.has(id)),
    [viewerId, orderId, arrived],
  )
  useEffect(() => {
    if (!accepted) return
    const before = new Set(
      sendQueueFor(viewerId, orderId)
        .list()
        .flatMap((one) => (one.state === 'sent' ? one.messageId : [])),
    )
    const timer = setTimeout(
      () =>
        void revalidate().then(() =>
          sendQueueFor(viewerId, orderId).arrived((id) => before.has(id)),
        ),
      REVALIDATE_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [viewerId, orderId, accepted, revalidate])

  return {
    outgoing,
    send: (message: string, fields?: Record<string, string>) =>
      sendQueueFor(viewerId, orderId).send({ messageId: newId15(), message, fields }),
    retry: (messageId: string) => sendQueueFor(viewerId, orderId).retry(messageId),
    discard(messageId: string) {
      const one = outgoing.find((other) => other.messageId === messageId)
      messageImageUploadsFor(viewerId, orderId).giveUp(namesOfPictures(one?.fields))
      sendQueueFor(viewerId, orderId).discard(messageId)
    },
  }
}
