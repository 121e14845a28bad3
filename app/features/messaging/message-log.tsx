import { type MouseEvent, type ReactNode, type RefObject, Fragment, lazy, memo, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ArrowDown, Check, CheckCheck } from '#app/ui/icons.tsx'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import { type Message, type MessagePage, type ReadMark as ReadUpToMark, isUnread } from '#app/features/orders/order.ts'
import { type Loading, useMessageRun } from './message-run.ts'
import { withBefore } from '#app/ui/message-address.ts'
import css from './chat.module.css'
import { type PictureView, Picture, variantUrl } from '#app/ui/picture.tsx'
import { type MessagePicture, PICTURE_GONE } from './message-pictures.ts'
import picturesCss from './message-pictures.module.css'

export type LogProps = {
  page: MessagePage
  /** whose conversation it is: the customer's uid, or a contact conversation's id */
  orderId: string
  viewerId: string
  /** name of the other side, for those who cannot see colours */
  otherName: string
  readUpTo: ReadUpTo
  timeZone: string
  emptyText: string
}

/** CHAT-02, CHAT-03, CHAT-06, ROLES-26: sides are told apart by the sender's uid. `children`: what is on its way, below the last message. */
export function MessageLog({
  page,
  orderId,
  viewerId,
  otherName,
  readUpTo,
  timeZone,
  emptyText,
  children,
}: LogProps & { children?: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [isAway, setAway] = useState(false)
  const { run, loading, load } = useMessageRun(orderId, page, isAway)
  const { messages, hasEarlier } = run
  useKeptPlace(box, list)
  const newest = page.messages.findLast(({ sender }) => sender !== viewerId)?.seq ?? 0
  // Who has answered has read, also without saying so (MSG-06).
  const answered = messages.findLast(({ sender }) => sender !== viewerId)?.seq ?? 0
  const [seen, setSeen] = useState(newest)
  if (!isAway && seen !== newest) setSeen(newest)
  // As it was when she came: what she reads now is new to her all the same.
  const [{ firstSeq, lastSeq, mark }] = useState({ firstSeq: page.messages[0]?.seq ?? 0, lastSeq: newest, mark: readUpTo.viewer })
  const firstNew = messages.findIndex((message) => message.seq <= lastSeq && isUnread(message, viewerId, mark))
  const toEnd = () => box.current?.scrollTo({ top: 0 })

  return (
    <div className={`anchor ${css.frame}`}>
      <div
        ref={box}
        className={`slim ${css.box}`}
        role="log"
        aria-live="polite"
        aria-label="Conversation"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        tabIndex={0}
        onScroll={(event) => setAway(isAwayFromEnd(event.currentTarget))}
      >
        <ol className={`column ${css.list}`} ref={list}>
          {hasEarlier && <EarlierMessages before={messages[0]!.seq} loading={loading} load={load} />}
          {messages.length === 0 && !children && <li className={`centered-text soft ${css.empty}`}>{emptyText}</li>}
          {messages.map((message, i) => {
            const day = formatDate(message.createdAt, timeZone)
            const isNewDay = i === 0 || day !== formatDate(messages[i - 1]!.createdAt, timeZone)
            return (
              <Fragment key={message.id}>
                {isNewDay && <li className={`soft small ${css.day}`}>{day}</li>}
                {i === firstNew && (i > 0 || !hasEarlier) && <li className={`row accented small strong ${css.new}`}>New</li>}
                <MessageLine
                  message={message}
                  isOwn={message.sender === viewerId}
                  otherName={otherName}
                  isRead={message.seq <= Math.max(readUpTo.other, answered)}
                  isOld={message.seq < firstSeq}
                  timeZone={timeZone}
                />
              </Fragment>
            )
          })}
          {children}
        </ol>
      </div>
      {isAway &&
        (newest > seen ? (
          <button type="button" className={`button unbroken ${css.pill}`} onClick={toEnd}>
            <ArrowDown size={18} aria-hidden /> New messages
          </button>
        ) : (
          <button type="button" className={`icon-button ${css.end}`} aria-label="To the end" onClick={toEnd}>
            <ArrowDown size={20} aria-hidden />
          </button>
        ))}
    </div>
  )
}

type Props = {
  message: Message
  isOwn: boolean
  otherName: string
  isRead: boolean
  /** from before the log was opened: no news to be read aloud */
  isOld: boolean
  timeZone: string
}

/** CHAT-02, CHAT-03, S-165, S-167. Remembered, since a long conversation has thousands of them. */
const MessageLine = memo(function MessageLine({ message, isOwn, otherName, isRead, isOld, timeZone }: Props) {
  return (
    <li className={isOwn ? css.own : css.other} data-sender={isOwn ? 'own' : 'other'} aria-live={isOld ? 'off' : undefined}>
      <span className="unseen">{isOwn ? 'You: ' : `${otherName}: `}</span>
      {message.pictures && <MessagePictures pictures={message.pictures} sender={isOwn ? 'you' : otherName} />}
      {(message.message !== '' || !message.pictures) && (
        <p className={`flush ${css.text}`} dir="auto">
          <MessageText {...message} />
        </p>
      )}
      <span className={`row tabular ${css.time}`}>
        <time dateTime={new Date(message.createdAt).toISOString()}>{formatTime(message.createdAt, timeZone)}</time>
        {isOwn && <ReadMark isRead={isRead} />}
      </span>
    </li>
  )
})

/** S-165: the server says what is a link; the page it leads to learns nothing of the shop. */
function MessageText({ message, links = [] }: Pick<Message, 'message' | 'links'>) {
  if (message === '') return <em>(no text)</em>
  const pieces = links.map(({ from, to, href }, i) => [
    message.slice(links[i - 1]?.to ?? 0, from),
    <a key={from} className="same-color" href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {message.slice(from, to)}
    </a>,
  ])
  return [...pieces.flat(), message.slice(links.at(-1)?.to ?? 0)]
}

/** S-167: a name on the picture, and no text of its own: a text that changes would be read aloud with each message. */
export function ReadMark({ isRead }: { isRead: boolean }) {
  const Icon = isRead ? CheckCheck : Check
  return <Icon size={16} role="img" aria-hidden={false} aria-label={isRead ? 'Read' : 'Sent'} />
}

type EarlierMessagesProps = { before: number; loading: Loading; load: (before: number) => void }

/** Loads before one gets there (pixels). */
const AHEAD = '800px'

/** S-164: without script it is the page with what came before. */
function EarlierMessages({ before, loading, load }: EarlierMessagesProps) {
  const line = useRef<HTMLLIElement>(null)
  const { search } = useLocation()
  // What is in sight is the browser's to say.
  useEffect(() => {
    const options = { root: line.current!.closest('[role=log]'), rootMargin: `${AHEAD} 0px 0px` }
    const observer = new IntersectionObserver((seen) => seen.at(-1)!.isIntersecting && load(before), options)
    observer.observe(line.current!)
    return () => observer.disconnect()
  }, [before, load])

  return (
    <li ref={line} className={css.earlier}>
      {loading === 'failed' && <span>Earlier messages could not be loaded. </span>}
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
        {loading === 'failed' ? 'Try again' : 'Earlier messages'}
      </Link>
    </li>
  )
}

/** Sequences of the newest messages read; 0 before the first. */
type ReadUpTo = { viewer: number; other: number }

/** S-167: whoever else has a mark is the other side. */
export function readUpTo(marks: readonly ReadUpToMark[], viewerId: string): ReadUpTo {
  const furthest = (isMeant: (mark: ReadUpToMark) => boolean) => Math.max(0, ...marks.filter(isMeant).map(({ seq }) => seq))
  return { viewer: furthest(({ reader }) => reader === viewerId), other: furthest(({ reader }) => reader !== viewerId) }
}

/** Nearer to the end than this counts as being there (pixels). */
const NEAR = 40

const isAwayFromEnd = (box: Element): boolean => box.scrollTop < -NEAR

/** Keeps what the reader looks at where it is, whatever grows below it. The box is laid out from its end, so what grows above moves nothing. S-166: `list` holds the messages as its children, those with `data-sender` stay as long as they are shown. */
function useKeptPlace(box: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>): void {
  // The layout is the browser's: it alone knows when a line breaks, a picture comes, a phone is turned.
  useEffect(() => {
    const [frame, messages] = [box.current!, list.current!]
    let held: { message: Element; place: number } | null = null
    let ownScroll: number | null = null
    const placeOf = (message: Element) => frame.getBoundingClientRect().bottom - message.getBoundingClientRect().bottom
    const hold = () => {
      // Its own steps are whole pixels: holding what came of them would drift.
      if (frame.scrollTop === ownScroll) return
      ownScroll = null
      const message = isAwayFromEnd(frame) ? firstInSight(messages.children, frame.getBoundingClientRect().top) : null
      held = message && { message, place: placeOf(message) }
    }
    const keep = () => {
      // Behind the order it has no size.
      if (messages.offsetHeight === 0) return
      if (!held?.message.isConnected) return hold()
      const moved = placeOf(held.message) - held.place
      if (Math.abs(moved) < 1) return
      frame.scrollTop -= moved
      ownScroll = frame.scrollTop
    }
    const observer = new ResizeObserver(keep)
    observer.observe(messages)
    frame.addEventListener('scroll', hold, { passive: true })
    return () => {
      observer.disconnect()
      frame.removeEventListener('scroll', hold)
    }
  }, [box, list])
}

function firstInSight(rows: HTMLCollection, top: number): Element | null {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rows[middle]!.getBoundingClientRect().bottom <= top) from = middle + 1
    else to = middle
  }
  while (from < rows.length && !(rows[from] as HTMLElement).dataset.sender) from++
  return rows[from] ?? null
}

// Few readers enlarge a picture, and everybody waits for the scripts that come with the log.
const Zoom = lazy(() => import('#app/features/catalog/item-zoom.tsx').then(({ ItemZoom }) => ({ default: ItemZoom })))

/** Without script a press opens the picture by itself. */
const largest = ({ url, widths }: PictureView) => (widths.length > 0 ? variantUrl(url, widths.at(-1)!) : url)

/** S-173: pressing a picture enlarges it to the whole screen. */
function MessagePictures({ pictures, sender }: { pictures: readonly MessagePicture[]; sender: string }) {
  const [open, setOpen] = useState<number | null>(null)
  const shown = pictures.filter((picture) => picture !== null)
  const zoomed = {
    name: `the message of ${sender}`,
    pictures: shown.map((picture) => ({ id: picture.url, picture, isAvailable: true, colorIds: [] })),
  }
  const show = (event: MouseEvent, at: number) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setOpen(at)
  }
  return (
    <span className={`stack ${picturesCss.pictures}`} data-many={pictures.length > 1 || undefined}>
      {pictures.map((picture, index) => {
        if (!picture)
          return (
            <span key={index} className={picturesCss.gone}>
              {PICTURE_GONE}
            </span>
          )
        const at = shown.indexOf(picture)
        return (
          <a key={picture.url} className={picturesCss.one} href={largest(picture)} target="_blank" onClick={(event) => show(event, at)}>
            <Picture
              className={picturesCss.image}
              picture={picture}
              alt={shown.length > 1 ? `Picture ${at + 1} of ${shown.length} from ${sender}` : `Picture from ${sender}`}
              sizes="17rem"
            />
          </a>
        )
      })}
      {open !== null && (
        <Suspense>
          <Zoom item={zoomed} index={open} showAt={setOpen} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </span>
  )
}
