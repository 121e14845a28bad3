/** The owner's list of conversations, newest change first. */
import { href, Link } from 'react-router'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import { nameOf, type ConversationLine } from '#app/features/orders/order.ts'
import { PersonPhoto } from './person-photo.tsx'
import css from './conversation-list.module.css'

type Props = { lines: ConversationLine[]; chosenId: string | null; timeZone: string; viewerId: string }

/** MSG-01, MSG-02, S-081 */
export function ConversationList({ lines, chosenId, timeZone, viewerId }: Props) {
  return (
    <ul className={css.list}>
      {lines.map((line) => (
        <li key={line.id}>
          <Link
            className={css.line}
            to={href('/manage/messages/:orderid?', { orderid: line.id })}
            aria-current={line.id === chosenId ? 'page' : undefined}
          >
            <PersonPhoto photoURL={line.user.photoURL} />
            <span className={css.words}>
              <span className={css.name}>{nameOf(line.user)}</span>
              <span className={css.last}>
                {line.lastSender === viewerId && 'You: '}
                {line.lastMessage || (line.lastAt === null ? 'No messages' : '(no text)')}
              </span>
              <span className={css.when}>
                {line.fromContactPage ? 'Contact page · ' : line.isClosed ? 'Closed · ' : ''}
                <span>{formatDate(line.lastAt ?? line.createdAt, timeZone)}</span>,{' '}
                <span>{formatTime(line.lastAt ?? line.createdAt, timeZone)}</span>
              </span>
            </span>
            {line.unread > 0 && (
              <span className={css.unread}>
                {line.unread}
                <span className="unseen"> unread</span>
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
