import { isAwayFromEnd, useScrollAnchor } from './use-scroll-anchor.ts'
import {
  type MouseEvent,
  type ReactNode,
  Fragment,
  lazy,
  memo,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Link, useLocation } from 'react-router'
import { ArrowDown, Check, CheckCheck } from '#app/ui/icons.tsx'
import { formatDate, formatTime } from '#app/ui/format-date.ts'
import {
  type Message,
  type MessagePage,
  type ReadReceipt as ReadUpToMark,
  isUnread,
} from '#app/features/orders/order.ts'
import { OfferCard } from '#app/features/offers/offer-card.tsx'
import { RequestedPieceCard } from '#app/features/orders/requested-piece-card.tsx'
import { type Loading, useMessageWindow } from './message-window.ts'
import { useTimeZone } from '#app/client/use-time-zone.ts'
import { withBefore } from '#app/ui/message-panel-url.ts'
import css from './chat.module.css'
import { type PictureView, Picture } from '#app/ui/picture.tsx'
import { variantUrl } from '#app/ui/picture-url.ts'
import type { MessagePicture } from './message-images.ts'
import { chatTexts, messageImageTexts } from './texts.ts'
import picturesCss from './message-images.module.css'

export type LogProps = {
  page: MessagePage
  /** the customer's uid, or the id of a contact conversation */
  orderId: string
  viewerId: string
  /** the name of the other person in the conversation, for screen readers */
  otherName: string
  readUpTo: ReadUpTo
  timeZone: string
  emptyText: string
}

/** Shows the messages of a conversation. The reader sees a message as her own if she is its sender [CHAT-02, CHAT-03, CHAT-06, ROLES-26]. `children` are the unsent messages at the end. */
export function MessageLog({
  page,
  orderId,
  viewerId,
  otherName,
  readUpTo,
  timeZone: ofShop,
  emptyText,
  children,
}: LogProps & { children?: ReactNode }) {
  const timeZone = useTimeZone(ofShop)
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [isAway, setAway] = useState(false)
  const { run, loading, load } = useMessageWindow(orderId, page, isAway)
  const { messages, hasEarlier } = run
  useScrollAnchor(box, list)
  const newest = page.messages.findLast(({ sender }) => sender !== viewerId)?.seq ?? 0
  // A person who has written a message has read all messages before this message. [MSG-06]
  const answered = messages.findLast(({ sender }) => sender !== viewerId)?.seq ?? 0
  const [seen, setSeen] = useState(newest)
  if (!isAway && seen !== newest) setSeen(newest)
  // Remembers which messages were unread when the page was opened, so that the label "New" stays after the reader has read them.
  const [{ firstSeq, lastSeq, mark }] = useState({
    firstSeq: page.messages[0]?.seq ?? 0,
    lastSeq: newest,
    mark: readUpTo.viewer,
  })
  const firstNew = messages.findIndex(
    (message) => message.seq <= lastSeq && isUnread(message, viewerId, mark),
  )
  const toEnd = () => box.current?.scrollTo({ top: 0 })

  return (
    <div className={`anchor ${css.frame}`}>
      <div
        ref={box}
        className={`slim ${css.box}`}
        role="log"
        aria-live="polite"
        aria-label={chatTexts.log}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        tabIndex={0}
        onScroll={(event) => setAway(isAwayFromEnd(event.currentTarget))}
      >
        <ol
          className={`column ${css.list}`}
          ref={list}
        >
          {hasEarlier && (
            <EarlierMessages
              before={messages[0]!.seq}
              loading={loading}
              load={load}
            />
          )}
          {messages.length === 0 && !children && (
            <li className={`centered-text soft ${css.empty}`}>{emptyText}</li>
          )}
          {messages.map((message, i) => {
            const day = formatDate(message.createdAt, timeZone)
            const isNewDay = i === 0 || day !== formatDate(messages[i - 1]!.createdAt, timeZone)
            return (
              <Fragment key={message.id}>
                {isNewDay && <li className={`soft small ${css.day}`}>{day}</li>}
                {i === firstNew && (i > 0 || !hasEarlier) && (
                  <li className={`row accented small strong ${css.new}`}>{chatTexts.new}</li>
                )}
                <MessageItem
                  message={message}
                  orderId={orderId}
                  isOwn={message.sender === viewerId}
                  otherName={otherName}
                  isRead={message.seq <= Math.max(readUpTo.other, answered)}
                  isOld={message.seq < firstSeq}
                  timeZone={timeZone}
                  shopTimeZone={ofShop}
                />
              </Fragment>
            )
          })}
          {children}
        </ol>
      </div>
      {isAway &&
        (newest > seen ? (
          <button
            type="button"
            className={`button unbroken ${css.pill}`}
            onClick={toEnd}
          >
            <ArrowDown
              size={18}
              aria-hidden
            />{' '}
            {chatTexts.newMessages}
          </button>
        ) : (
          <button
            type="button"
            className={`icon-button ${css.end}`}
            aria-label={chatTexts.toEnd}
            onClick={toEnd}
          >
            <ArrowDown
              size={20}
              aria-hidden
            />
          </button>
        ))}
    </div>
  )
}

type Props = {
  message: Message
  orderId: string
  isOwn: boolean
  otherName: string
  isRead: boolean
  /** true for an earlier message that the page loads later; screen readers do not announce such a message */
  isOld: boolean
  /** the time zone of the reader, for the times of messages */
  timeZone: string
  /** the time zone of the shop, for the days in an offer */
  shopTimeZone: string
}

/** `memo` avoids rendering unchanged messages again, because a long conversation has thousands of messages. */
const MessageItem = memo(function MessageLine({
  message,
  orderId,
  isOwn,
  otherName,
  isRead,
  isOld,
  timeZone,
  shopTimeZone,
}: Props) {
  return (
    <li
      className={isOwn ? css.own : css.other}
      data-sender={isOwn ? 'own' : 'other'}
      aria-live={isOld ? 'off' : undefined}
    >
      <span className="visually-hidden">{isOwn ? 'You: ' : `${otherName}: `}</span>
      {message.request && <RequestedPieceCard piece={message.request} />}
      {message.offer && (
        <OfferCard
          offer={message.offer}
          orderId={orderId}
          isOwner={isOwn}
          timeZone={shopTimeZone}
        />
      )}
      {message.pictures && (
        <MessagePictures
          pictures={message.pictures}
          sender={isOwn ? 'you' : otherName}
        />
      )}
      {(message.message !== '' || !(message.pictures ?? message.request ?? message.offer)) && (
        <p
          className={`flush ${css.text}`}
          dir="auto"
        >
          <MessageText {...message} />
        </p>
      )}
      <span className={`row tabular ${css.time}`}>
        <time dateTime={new Date(message.createdAt).toISOString()}>
          {formatTime(message.createdAt, timeZone)}
        </time>
        {isOwn && <ReadReceiptIcon isRead={isRead} />}
      </span>
    </li>
  )
})

/** Shows a message with the links that the server has found. A linked page does not learn from which page the reader came. [S-165] */
function MessageText({ message, links = [] }: Pick<Message, 'message' | 'links'>) {
  const pieces = links.map(({ from, to, href }, i) => [
    message.slice(links[i - 1]?.to ?? 0, from),
    <a
      key={from}
      className="same-color"
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
    >
      {message.slice(from, to)}
    </a>,
  ])
  return [...pieces.flat(), message.slice(links.at(-1)?.to ?? 0)]
}

/** Shows an icon with a label instead of a text, because screen readers would announce each change of the text. [S-167] */
function ReadReceiptIcon({ isRead }: { isRead: boolean }) {
  const Icon = isRead ? CheckCheck : Check
  return (
    <Icon
      size={16}
      role="img"
      aria-hidden={false}
      aria-label={isRead ? chatTexts.read : chatTexts.sent}
    />
  )
}

type EarlierMessagesProps = { before: number; loading: Loading; load: (before: number) => void }

/** The browser loads earlier messages when the first loaded message is less than this distance above the visible area. */
const PRELOAD_MARGIN = '800px'

/** Loads the earlier messages. Without JavaScript, the button is a link to the page of earlier messages. [S-164] */
function EarlierMessages({ before, loading, load }: EarlierMessagesProps) {
  const line = useRef<HTMLLIElement>(null)
  const { search } = useLocation()
  useEffect(() => {
    const options = {
      root: line.current!.closest('[role=log]'),
      rootMargin: `${PRELOAD_MARGIN} 0px 0px`,
    }
    const observer = new IntersectionObserver(
      (seen) => seen.at(-1)!.isIntersecting && load(before),
      options,
    )
    observer.observe(line.current!)
    return () => observer.disconnect()
  }, [before, load])

  return (
    <li
      ref={line}
      className={css.earlier}
    >
      {loading === 'failed' && <span>{chatTexts.earlierFailed}</span>}
      <Link
        className="button quiet"
        to={{ search: withBefore(search, before) }}
        aria-busy={loading === 'loading'}
        preventScrollReset
        onClick={(event) => {
          event.preventDefault()
          load(before)
        }}
      >
        {loading === 'failed' ? chatTexts.tryAgain : chatTexts.earlier}
      </Link>
    </li>
  )
}

/** `viewer` and `other` are the sequence numbers of the newest messages that the viewer and the other side have read, or 0 if they have read no message. */
type ReadUpTo = { viewer: number; other: number }

/** Returns how far the viewer and the other side have read. Every reader except the viewer belongs to the other side. [S-167] */
export function readUpTo(marks: readonly ReadUpToMark[], viewerId: string): ReadUpTo {
  const furthest = (isMeant: (mark: ReadUpToMark) => boolean) =>
    Math.max(0, ...marks.filter(isMeant).map(({ seq }) => seq))
  return {
    viewer: furthest(({ reader }) => reader === viewerId),
    other: furthest(({ reader }) => reader !== viewerId),
  }
}

// Few readers enlarge an image, so the browser loads the code of the zoom on demand.
const Zoom = lazy(() =>
  import('#app/features/catalog/item-zoom.tsx').then(({ ItemZoom }) => ({ default: ItemZoom })),
)

/** Returns the URL of the largest variant of an image. Without JavaScript, a click on the image opens this URL. */
const largestUrl = ({ url, widths }: PictureView) =>
  widths.length > 0 ? variantUrl(url, widths.at(-1)!) : url

/** A click enlarges the image to the size of the screen. [S-173] */
function MessagePictures({
  pictures,
  sender,
}: {
  pictures: readonly MessagePicture[]
  sender: string
}) {
  const [open, setOpen] = useState<number | null>(null)
  const shown = pictures.filter((picture) => picture !== null)
  const zoomed = {
    name: `the message of ${sender}`,
    pictures: shown.map((picture) => ({
      id: picture.url,
      picture,
      isAvailable: true,
      colorIds: [],
    })),
  }
  const show = (event: MouseEvent, at: number) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setOpen(at)
  }
  return (
    <span
      className={`stack ${picturesCss.pictures}`}
      data-many={pictures.length > 1 || undefined}
    >
      {pictures.map((picture, index) => {
        if (!picture)
          return (
            <span
              key={index}
              className={picturesCss.gone}
            >
              {messageImageTexts.gone}
            </span>
          )
        const at = shown.indexOf(picture)
        return (
          <a
            key={picture.url}
            className={picturesCss.one}
            href={largestUrl(picture)}
            target="_blank"
            onClick={(event) => show(event, at)}
          >
            <Picture
              className={picturesCss.image}
              picture={picture}
              alt={
                shown.length > 1
                  ? messageImageTexts.oneFrom(at + 1, shown.length, sender)
                  : messageImageTexts.from(sender)
              }
              sizes="17rem"
            />
          </a>
        )
      })}
      {open !== null && (
        <Suspense>
          <Zoom
            item={zoomed}
            index={open}
            showAt={setOpen}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </span>
  )
}
