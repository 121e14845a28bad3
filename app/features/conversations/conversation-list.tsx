/** The owner's list of conversations, newest change first. */
import { href, Link, useLocation } from 'react-router'
import { piecesText } from '#app/features/catalog/pieces-text.ts'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import { nameOf, type ConversationLine } from '#app/features/orders/order.ts'
import { ConversationFinder } from './conversation-finder.tsx'
import { conversationQuery, type ConversationList as ConversationsShown, type ConversationSearch } from './conversation-search.ts'
import { PersonPhoto } from './person-photo.tsx'
import css from './conversation-list.module.css'

type Props = { list: ConversationsShown; chosenId: string | null; timeZone: string; viewerId: string }

/** MSG-01, MSG-02, S-081, S-177 */
export function ConversationList({ list: { lines, counts, search, older }, chosenId, timeZone, viewerId }: Props) {
  const { pathname } = useLocation()
  return (
    <>
      <ConversationFinder search={search} counts={counts} />
      {lines.length === 0 && <p className={css.nothing}>{nothingText(search)}</p>}
      <ul className={css.list}>
        {lines.map((line) => (
          <li key={line.id}>
            <Link
              className={css.line}
              to={href('/manage/messages/:orderid?', { orderid: line.id }) + conversationQuery(search)}
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
                  {noteOf(line) && <span className={css.note}>{noteOf(line)}</span>}
                  <span>{formatDate(line.lastAt ?? line.createdAt, timeZone)},</span>
                  <span>{formatTime(line.lastAt ?? line.createdAt, timeZone)}</span>
                </span>
              </span>
              {line.unread > 0 && (
                <span className={css.unread}>
                  {line.unread.toLocaleString('en-US')}
                  <span className="unseen"> unread</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {(older || search.behind) && (
        <div className={css.parts}>
          {search.behind && (
            <Link className="button quiet" to={pathname + conversationQuery({ ...search, behind: null })} preventScrollReset>
              Newest
            </Link>
          )}
          {older && (
            <Link className="button quiet" to={pathname + conversationQuery({ ...search, behind: older })} preventScrollReset>
              Older
            </Link>
          )}
        </div>
      )}
    </>
  )
}

const noteOf = ({ fromContactPage, isClosed, pieces }: ConversationLine): string =>
  fromContactPage ? 'Contact page' : isClosed ? 'Closed' : pieces > 0 ? `Asks for ${piecesText(pieces)}` : ''

function nothingText({ text, shown, behind }: ConversationSearch): string {
  if (behind) return 'Nothing older is here.'
  if (text.trim() !== '') return `Nothing found for “${text.trim()}”.`
  return shown === 'unread' ? 'Nothing unread. All is answered.' : shown === 'requests' ? 'No piece is being asked for.' : ''
}
