/** The messages of a conversation, oldest first, newest in sight unless the reader has scrolled away. */
import { Fragment, useRef, useState, type ReactNode } from 'react'
import { ArrowDown } from 'lucide-react'
import { formatDate } from '#app/ui/dates.ts'
import { isUnread, type MessagePage } from '#app/features/orders/order.ts'
import { EarlierMessages } from './earlier-messages.tsx'
import { MessageLine } from './message-line.tsx'
import type { ReadUpTo } from './read-up-to.ts'
import { isAwayFromEnd, useKeptPlace } from './use-kept-place.ts'
import { useMessageRun } from './use-message-run.ts'
import css from './message-log.module.css'

export type LogProps = {
  /** the newest messages, or a page of earlier ones */
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
    <div className={css.frame}>
      <div
        ref={box}
        className={css.box}
        role="log"
        aria-live="polite"
        aria-label="Conversation"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        tabIndex={0}
        onScroll={(event) => setAway(isAwayFromEnd(event.currentTarget))}
      >
        <ol className={css.list} ref={list}>
          {hasEarlier && <EarlierMessages before={messages[0]!.seq} loading={loading} load={load} />}
          {messages.length === 0 && !children && <li className={css.empty}>{emptyText}</li>}
          {messages.map((message, i) => {
            const day = formatDate(message.createdAt, timeZone)
            const isNewDay = i === 0 || day !== formatDate(messages[i - 1]!.createdAt, timeZone)
            return (
              <Fragment key={message.id}>
                {isNewDay && <li className={css.day}>{day}</li>}
                {i === firstNew && (i > 0 || !hasEarlier) && <li className={css.new}>New</li>}
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
          <button type="button" className={`button ${css.pill}`} onClick={toEnd}>
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
