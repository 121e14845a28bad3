/** The messages of a conversation, oldest first, newest in sight unless the reader has scrolled away. */
import { Fragment, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { ArrowDown } from 'lucide-react'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import type { Message } from '#app/features/orders/order.ts'
import css from './message-log.module.css'

type Props = {
  messages: Message[]
  viewerId: string
  /** name of the other side, for those who cannot see colours */
  otherName: string
  timeZone: string
  /** what is on its way or failed, below the last message */
  children?: ReactNode
  emptyText: string
}

/** Nearer to the end than this counts as being there (pixels). */
const NEAR = 40

/** CHAT-02, CHAT-03, CHAT-06, ROLES-26: sides are told apart by the sender's uid. */
export function MessageLog({ messages, viewerId, otherName, timeZone, children, emptyText }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  const newest = messages.at(-1)?.seq ?? 0
  const [isAway, setAway] = useState(false)
  const [seen, setSeen] = useState(newest)
  if (!isAway && seen !== newest) setSeen(newest)

  // The box is laid out from its end (column-reverse), so it opens and stays there by itself; a reader who is elsewhere is held in place.
  useLayoutEffect(() => {
    const element = box.current!
    const grown = element.scrollHeight - height.current
    if (height.current > 0 && element.scrollTop < -NEAR) element.scrollTop -= grown
    height.current = element.scrollHeight
  }, [messages.length])

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
        onScroll={(event) => setAway(event.currentTarget.scrollTop < -NEAR)}
      >
        <ol className={css.list}>
          {messages.length === 0 && !children && <li className={css.empty}>{emptyText}</li>}
          {messages.map((message, i) => {
            const day = formatDate(message.createdAt, timeZone)
            const isNewDay = i === 0 || day !== formatDate(messages[i - 1]!.createdAt, timeZone)
            const isOwn = message.sender === viewerId
            return (
              <Fragment key={message.id}>
                {isNewDay && <li className={css.day}>{day}</li>}
                <li className={isOwn ? css.own : css.other} data-sender={isOwn ? 'own' : 'other'}>
                  <span className="unseen">{isOwn ? 'You: ' : `${otherName}: `}</span>
                  <p className={css.text}>{message.message || <em>(no text)</em>}</p>
                  <time className={css.time} dateTime={new Date(message.createdAt).toISOString()}>
                    {formatTime(message.createdAt, timeZone)}
                  </time>
                </li>
              </Fragment>
            )
          })}
          {children}
        </ol>
      </div>
      {isAway && newest > seen && (
        <button type="button" className={`button ${css.pill}`} onClick={() => box.current?.scrollTo({ top: 0 })}>
          <ArrowDown size={18} aria-hidden /> New messages
        </button>
      )}
    </div>
  )
}
