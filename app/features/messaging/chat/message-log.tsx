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
import { href, Link, useLocation } from 'react-router'
import { useTimeZone } from '#client/use-time-zone.ts'
import {
  type Message,
  type MessagePage,
  type ReadReceipt,
  type RequestedPiece,
  isUnread,
} from '#conversation/message.ts'
import { OfferCard } from '#offers/offer-card.tsx'
import { useMoney } from '#pricing/use-money.ts'
import { formatDate, formatTime } from '#ui/format-date.ts'
import { ArrowDown, Check, CheckCheck } from '#ui/icons.tsx'
import { variantUrl } from '#ui/image-url.ts'
import { withBefore } from '#ui/message-panel-url.ts'
import { type ImageView, ResponsiveImage } from '#ui/responsive-image.tsx'
import { Thumbnail } from '#ui/thumbnail.tsx'
import { type MessageLoading, useMessageWindow } from './message-window.ts'
import { chatTexts, messageImageTexts, pieceTexts } from '../texts.ts'
import { isAwayFromEnd, useScrollAnchor } from './use-scroll-anchor.ts'
import css from './chat.module.css'
import imagesCss from './message-images.module.css'
import pieceCss from './requested-piece.module.css'

export type LogProps = {
  page: MessagePage & { readReceipts: ReadReceipt[]; hasLater: boolean }
  orderId: string
  viewerId: string
  otherName: string
  emptyText: string
}

export function MessageLog({ children, ...log }: LogProps & { children?: ReactNode }) {
  const { page, orderId, viewerId } = log
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [isAway, setAway] = useState(false)
  const { run, loading, load } = useMessageWindow(orderId, page, isAway)
  const { messages, hasEarlier } = run
  useScrollAnchor(box, list)
  const newestSeq = page.messages.findLast(({ sender }) => sender !== viewerId)?.seq ?? 0
  const [seenSeq, setSeenSeq] = useState(newestSeq)
  if (!isAway && seenSeq !== newestSeq) setSeenSeq(newestSeq)

  return (
    <div className={`relative ${css.frame}`}>
      <div
        ref={box}
        className={`min-w-0 ${css.box}`}
        role="log"
        aria-live="polite"
        aria-label={chatTexts.log}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        onScroll={(event) => setAway(isAwayFromEnd(event.currentTarget))}
      >
        <ol
          className={`flex flex-col ${css.list}`}
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
            <li className={`text-center text-soft ${css.empty}`}>{log.emptyText}</li>
          )}
          <MessageLines
            {...log}
            messages={messages}
            hasEarlier={hasEarlier}
            newestSeq={newestSeq}
          />
          {children}
        </ol>
      </div>
      {isAway && (
        <ToEndButton
          hasNew={newestSeq > seenSeq}
          onClick={() => box.current?.scrollTo({ top: 0 })}
        />
      )}
    </div>
  )
}

function ToEndButton({ hasNew, onClick }: { hasNew: boolean; onClick: () => void }) {
  if (hasNew) {
    return (
      <button
        type="button"
        className={`button whitespace-nowrap ${css.pill}`}
        onClick={onClick}
      >
        <ArrowDown size={18} /> {chatTexts.newMessages}
      </button>
    )
  }
  return (
    <button
      type="button"
      className={`icon-button ${css.end}`}
      aria-label={chatTexts.toEnd}
      onClick={onClick}
    >
      <ArrowDown size={20} />
    </button>
  )
}

type MessageLinesProps = Omit<LogProps, 'emptyText'> & {
  messages: Message[]
  hasEarlier: boolean
  newestSeq: number
}

function MessageLines({
  page,
  messages,
  hasEarlier,
  newestSeq,
  orderId,
  viewerId,
  otherName,
}: MessageLinesProps) {
  const timeZone = useTimeZone()
  const { viewer, other } = readUpTo(page.readReceipts, viewerId)
  // The label "New" stays after the reader has read these messages.
  const [atFirst] = useState({ firstSeq: page.messages[0]?.seq ?? 0, newestSeq, readSeq: viewer })
  const firstNew = messages.findIndex(
    (message) => message.seq <= atFirst.newestSeq && isUnread(message, viewerId, atFirst.readSeq),
  )
  // Whoever wrote a message has read all earlier messages.
  const answeredSeq = messages.findLast(({ sender }) => sender !== viewerId)?.seq ?? 0
  const dayOf = (index: number) => formatDate(messages[index]!.createdAt, timeZone)
  return messages.map((message, index) => (
    <Fragment key={message.id}>
      {(index === 0 || dayOf(index) !== dayOf(index - 1)) && (
        <li className={`text-soft text-sm ${css.day}`}>{dayOf(index)}</li>
      )}
      {index === firstNew && (index > 0 || !hasEarlier) && (
        <li className={`flex items-center gap-3 text-accent text-sm font-semibold ${css.new}`}>
          {chatTexts.new}
        </li>
      )}
      <MessageItem
        message={message}
        orderId={orderId}
        isOwn={message.sender === viewerId}
        otherName={otherName}
        isRead={message.seq <= Math.max(other, answeredSeq)}
        isEarlier={message.seq < atFirst.firstSeq}
        timeZone={timeZone}
      />
    </Fragment>
  ))
}

type MessageItemProps = Pick<LogProps, 'orderId' | 'otherName'> & {
  message: Message
  isOwn: boolean
  isRead: boolean
  isEarlier: boolean
  timeZone: string
}

/** A conversation may have thousands of messages. */
const MessageItem = memo(function MessageItem({
  message,
  orderId,
  isOwn,
  otherName,
  isRead,
  isEarlier,
  timeZone,
}: MessageItemProps) {
  const { request, offer, images } = message
  return (
    <li
      className={isOwn ? css.own : css.other}
      data-sender={isOwn ? 'own' : 'other'}
      aria-live={isEarlier ? 'off' : undefined}
    >
      <span className="sr-only">{isOwn ? chatTexts.you : chatTexts.writer(otherName)}</span>
      {request && (
        <RequestedPieceCard
          {...request}
          isOwn={isOwn}
        />
      )}
      {offer && (
        <OfferCard
          offer={offer}
          orderId={orderId}
          isOwner={isOwn}
        />
      )}
      {images && (
        <MessageImages
          images={images}
          sender={isOwn ? messageImageTexts.you : otherName}
        />
      )}
      {(message.message !== '' || !(images ?? request ?? offer)) && (
        <p
          className={`m-0 ${css.text}`}
          dir="auto"
        >
          <MessageText {...message} />
        </p>
      )}
      <span className={`flex items-center gap-3 tabular-nums ${css.time}`}>
        <time dateTime={new Date(message.createdAt).toISOString()}>
          {formatTime(message.createdAt, timeZone)}
        </time>
        {isOwn && <ReadReceiptIcon isRead={isRead} />}
      </span>
    </li>
  )
})

function MessageText({ message, links = [] }: Pick<Message, 'message' | 'links'>) {
  const pieces = links.map(({ from, to, href }, index) => [
    message.slice(links[index - 1]?.to ?? 0, from),
    <a
      key={from}
      className="text-inherit"
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
    >
      {message.slice(from, to)}
    </a>,
  ])
  return [...pieces.flat(), message.slice(links.at(-1)?.to ?? 0)]
}

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

type EarlierMessagesProps = {
  before: number
  loading: MessageLoading
  load: (before: number) => void
}

const PRELOAD_MARGIN = '800px'

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

function readUpTo(receipts: ReadReceipt[], viewerId: string) {
  const furthest = (read: ReadReceipt[] = []) => Math.max(0, ...read.map(({ seq }) => seq))
  const { viewer, other } = Object.groupBy(receipts, ({ reader }) =>
    reader === viewerId ? 'viewer' : 'other',
  )
  return { viewer: furthest(viewer), other: furthest(other) }
}

function RequestedPieceCard({
  itemId,
  name,
  color,
  quantity,
  cents,
  state,
  image,
  isInShop,
  isOwn,
}: RequestedPiece & { isOwn: boolean }) {
  const money = useMoney()
  const content = (
    <>
      <Thumbnail image={image} />
      <span className={`flex flex-col min-w-0 ${pieceCss.facts}`}>
        <span className="text-sm">{pieceTexts.request}</span>
        <span className="font-semibold">
          {quantity > 1 && `${pieceTexts.quantity(quantity)} `}
          {name}
        </span>
        {color && <span className="text-sm">{color}</span>}
        <span
          className={`flex flex-wrap gap-3 justify-between text-sm tabular-nums ${pieceCss.last}`}
        >
          <span className="whitespace-nowrap">{money(cents)}</span>
          <span className="font-semibold">
            {state === 'replaced' ? pieceTexts.replaced(isOwn) : pieceTexts.states[state]}
          </span>
        </span>
        {!isInShop && <span className="text-sm">{pieceTexts.gone}</span>}
      </span>
    </>
  )
  const className = `flex items-center gap-3 text-inherit no-underline ${pieceCss.card}`
  return isInShop ? (
    <Link
      className={className}
      to={href('/item/:itemid', { itemid: itemId })}
    >
      {content}
    </Link>
  ) : (
    <span className={className}>{content}</span>
  )
}

const Zoom = lazy(() =>
  import('#catalog/item-zoom.tsx').then(({ ItemZoom }) => ({ default: ItemZoom })),
)

const largestUrl = ({ url, widths }: ImageView) =>
  widths.length > 0 ? variantUrl(url, widths.at(-1)!) : url

type MessageImagesProps = { images: readonly (ImageView | null)[]; sender: string }

function MessageImages({ images, sender }: MessageImagesProps) {
  const [openIndex, setOpenIndex] = useState<number | null>(null)
  const storedImages = images.filter((image) => image !== null)
  const zoomedItem = {
    name: messageImageTexts.message(sender),
    images: storedImages.map((image) => ({
      id: image.url,
      image,
      isAvailable: true,
      colorIds: [],
    })),
  }
  function open(event: MouseEvent, index: number) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setOpenIndex(index)
  }
  return (
    <span
      className={`grid gap-4 ${imagesCss.images}`}
      data-many={images.length > 1 || undefined}
    >
      {images.map((image, position) => {
        if (!image) {
          return (
            <span
              key={position}
              className={imagesCss.gone}
            >
              {messageImageTexts.gone}
            </span>
          )
        }
        const index = storedImages.indexOf(image)
        return (
          <a
            key={image.url}
            className={imagesCss.one}
            href={largestUrl(image)}
            target="_blank"
            onClick={(event) => open(event, index)}
          >
            <ResponsiveImage
              className={imagesCss.image}
              image={image}
              alt={
                storedImages.length > 1
                  ? messageImageTexts.oneFrom(index + 1, storedImages.length, sender)
                  : messageImageTexts.from(sender)
              }
              sizes="17rem"
            />
          </a>
        )
      })}
      {openIndex !== null && (
        <Suspense>
          <Zoom
            item={zoomedItem}
            index={openIndex}
            showAt={setOpenIndex}
            onClose={() => setOpenIndex(null)}
          />
        </Suspense>
      )}
    </span>
  )
}
