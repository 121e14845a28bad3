/** One message of a log: who, what, when, and whether it was read. */
import { memo } from 'react'
import { formatTime } from '#app/ui/dates.ts'
import type { Message } from '#app/features/orders/order.ts'
import { MessagePictures } from './message-pictures.tsx'
import { MessageText } from './message-text.tsx'
import { ReadMark } from './read-mark.tsx'
import css from './message-log.module.css'

type Props = {
  message: Message
  isOwn: boolean
  /** name of the other side */
  otherName: string
  /** by the other side */
  isRead: boolean
  /** from before the log was opened: no news to be read aloud */
  isOld: boolean
  timeZone: string
}

/** CHAT-02, CHAT-03, S-165, S-167. Remembered, since a long conversation has thousands of them. */
export const MessageLine = memo(function MessageLine({ message, isOwn, otherName, isRead, isOld, timeZone }: Props) {
  return (
    <li className={isOwn ? css.own : css.other} data-sender={isOwn ? 'own' : 'other'} aria-live={isOld ? 'off' : undefined}>
      <span className="unseen">{isOwn ? 'You: ' : `${otherName}: `}</span>
      {message.pictures && <MessagePictures pictures={message.pictures} sender={isOwn ? 'you' : otherName} />}
      {(message.message !== '' || !message.pictures) && (
        <p className={css.text} dir="auto">
          <MessageText {...message} />
        </p>
      )}
      <span className={css.time}>
        <time dateTime={new Date(message.createdAt).toISOString()}>{formatTime(message.createdAt, timeZone)}</time>
        {isOwn && <ReadMark isRead={isRead} />}
      </span>
    </li>
  )
})
