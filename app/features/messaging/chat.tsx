import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { Link, useLocation, useRevalidator } from 'react-router'
import { ArrowDown, Image } from '#app/ui/icons.tsx'
import { useGivenFiles } from '#app/features/images/use-given-files.ts'
import { type Message, NOT_SENT } from '#app/features/orders/order.ts'
import { ComposerPictures, UploadState } from './composer-pictures.tsx'
import { Composer, type ComposerProps, type Refused } from './composer.tsx'
import { type LogProps, MessageLog } from './message-log.tsx'
import { type ChatPicture, chatPicturesOf, isNamed, useChatPictures, withSentPictures } from './chat-pictures.ts'
import { withoutBefore } from '#app/ui/message-address.ts'
import { namesOfPictures } from './message-pictures.ts'
import { type Delivered, type Outbox, type Outgoing, type Unsent, openOutbox, postMessage, unsentStore } from './send-queue.ts'
import css from './chat.module.css'
import cssMessagePictures from './message-pictures.module.css'
import { connection } from '#app/platform/connection.ts'
import { newId15 } from '#app/platform/ids.ts'

type Props = LogProps & Pick<ComposerProps, 'action' | 'closedText' | 'refused'> & { tools?: ReactNode }
export type { Refused }

/** CHAT-04, CHAT-05, CHAT-07, CHAT-14 */
export function Chat({ action, closedText, refused, tools, ...log }: Props) {
  const { viewerId, orderId } = log
  const frame = useRef<HTMLDivElement>(null)
  const { outgoing, send, retry, discard } = useOutgoing(viewerId, orderId, log.page.messages)
  const pictures = useChatPictures(viewerId, orderId, outgoing)
  const isClosed = closedText !== null
  const held = useGivenFiles(frame, (files) => isClosed || pictures.add(files))
  function sendNow(message: string) {
    const fields = pictures.take()
    if (!fields) return false
    send(message, fields)
    frame.current?.querySelector('[role=log]')?.scrollTo({ top: 0 })
    return true
  }

  return (
    <div className={`column anchor ${css.chat}`} ref={frame} data-held={(!isClosed && held) || undefined}>
      <MessageLog {...log}>
        {outgoing.length > 0 && <OutgoingMessages {...{ outgoing, isClosed, retry, discard }} pictures={pictures.list} />}
      </MessageLog>
      <Composer {...{ viewerId, orderId, action, closedText, refused }} send={sendNow}>
        {tools}
        <ComposerPictures {...pictures} isClosed={isClosed} />
      </Composer>
      {!isClosed && held && <p className={css.drop}>Drop pictures here</p>}
    </div>
  )
}

/** S-164: where the newest is not in sight nobody writes. */
export function PastMessages(log: LogProps) {
  const { search } = useLocation()
  // The focus is the document's: the link that had it is gone, the newest messages are in its place.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <div className={`column anchor ${css.chat}`}>
      <MessageLog {...log} />
      <p className={css.later}>
        <Link className="button quiet" to={{ search: withoutBefore(search) }} replace preventScrollReset>
          <ArrowDown size={18} aria-hidden /> Newest messages
        </Link>
      </p>
    </div>
  )
}

type OutgoingMessagesProps = Pick<ReturnType<typeof useOutgoing>, 'outgoing' | 'retry' | 'discard'> & {
  pictures: readonly ChatPicture[]
  isClosed: boolean
}

/** CHAT-14, S-169: list items below the last message */
function OutgoingMessages({ outgoing, pictures, isClosed, retry, discard }: OutgoingMessagesProps) {
  return outgoing.map((one) => {
    const { messageId, message, state, error } = one
    const hasPictures = namesOfPictures(one.fields).length > 0
    return (
      <li key={messageId} className={css.own} data-sender="own">
        <span className="unseen">You: </span>
        <OutgoingPictures outgoing={one} pictures={pictures} />
        {(message !== '' || !hasPictures) && (
          <p className={`flush ${css.text}`} dir="auto">
            {message || <em>(no text)</em>}
          </p>
        )}
        {state === 'failed' ? (
          <div className={`cluster small ${css.failed}`}>
            <span>{error ?? NOT_SENT}</span>
            <span className="cluster">
              <button type="button" className={`strong round ${css.act}`} disabled={isClosed} onClick={() => retry(messageId)}>
                Try again
              </button>
              <button type="button" className={`strong round ${css.act}`} onClick={() => discard(messageId)}>
                Discard
              </button>
            </span>
          </div>
        ) : (
          <span className={`row tabular ${css.time}`}>{state === 'sent' ? 'Sent' : 'Sending…'}</span>
        )}
      </li>
    )
  })
}

function OutgoingPictures({ outgoing: { fields }, pictures }: { outgoing: Outgoing; pictures: readonly ChatPicture[] }) {
  const names = namesOfPictures(fields)
  if (names.length === 0) return null
  return (
    <span className={`stack ${cssMessagePictures.pictures}`} data-many={names.length > 1 || undefined}>
      {names.map((name, at) => {
        const picture = pictures.find((one) => isNamed(one, [name]))
        return (
          <span className={cssMessagePictures.one} key={name}>
            {picture?.src ? (
              <img className={cssMessagePictures.preview} src={picture.src} alt={`${at + 1} of ${names.length}, from you`} />
            ) : (
              // Chosen before the page was loaded anew, or nothing that this browser can show.
              <span className={cssMessagePictures.waiting}>
                <Image size={24} aria-label={`${at + 1} of ${names.length}, from you`} />
              </span>
            )}
            {picture && <UploadState upload={picture.upload} name={`picture ${at + 1}`} />}
          </span>
        )
      })}
    </span>
  )
}

/** Milliseconds after a message was accepted; the page then loads its data, unless the live channel was faster. */
const UNTIL_ASKED = 700

const outboxes = new Map<string, Outbox>()

function outboxOf(viewerId: string, orderId: string): Outbox {
  const key = `${viewerId} ${orderId}`
  const known = outboxes.get(key)
  if (known) return known
  const store = unsentStore(viewerId, orderId)
  const post = async (unsent: Unsent): Promise<Delivered> => {
    const ready = await withSentPictures(viewerId, orderId, unsent)
    if (!ready.ok) return { ok: false, isRefused: true, error: ready.text }
    // What is in the shop already is found there after a reload.
    if (ready.one !== unsent) store.keep(ready.one)
    return postMessage(viewerId, orderId, ready.one)
  }
  const outbox = openOutbox({ post, store, now: Date.now })
  outboxes.set(key, outbox)
  connection.subscribe(() => connection.isLost() || outbox.resume())
  outbox.start()
  return outbox
}
const none: readonly Outgoing[] = []
const noneOnServer = () => none

/** CHAT-14, S-169 to S-171: what has been sent and is not among `messages`, and what may be done with it. */
function useOutgoing(viewerId: string, orderId: string, messages: readonly Message[]) {
  const { revalidate } = useRevalidator()
  const store = useMemo(
    () => ({
      subscribe: (listener: () => void) => outboxOf(viewerId, orderId).subscribe(listener),
      list: () => outboxOf(viewerId, orderId).list(),
    }),
    [viewerId, orderId],
  )
  const all = useSyncExternalStore(store.subscribe, store.list, noneOnServer)
  const arrived = useMemo(() => new Set(messages.map(({ id }) => id)), [messages])
  const outgoing = all.filter(({ messageId }) => !arrived.has(messageId))
  const accepted = outgoing.find(({ state }) => state === 'sent')?.messageId

  // The queue is outside React, and outlives this page.
  useEffect(() => outboxOf(viewerId, orderId).arrived((id) => arrived.has(id)), [viewerId, orderId, arrived])
  useEffect(() => {
    if (!accepted) return
    const before = new Set(
      outboxOf(viewerId, orderId)
        .list()
        .flatMap((one) => (one.state === 'sent' ? one.messageId : [])),
    )
    const timer = setTimeout(() => void revalidate().then(() => outboxOf(viewerId, orderId).arrived((id) => before.has(id))), UNTIL_ASKED)
    return () => clearTimeout(timer)
  }, [viewerId, orderId, accepted, revalidate])

  return {
    outgoing,
    send: (message: string, fields?: Record<string, string>) => outboxOf(viewerId, orderId).send({ messageId: newId15(), message, fields }),
    retry: (messageId: string) => outboxOf(viewerId, orderId).retry(messageId),
    discard(messageId: string) {
      const one = outgoing.find((other) => other.messageId === messageId)
      chatPicturesOf(viewerId, orderId).giveUp(namesOfPictures(one?.fields))
      outboxOf(viewerId, orderId).discard(messageId)
    },
  }
}
