import { useId, useState } from 'react'
import { Form, Link, href, useFetcher, useLocation, useParams } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { AlertsButton } from '#app/features/messaging/notifications/alert-settings.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { nameOf } from '#app/features/orders/order.ts'
import type { ConversationLine, FoundConversations } from './conversation-list.server.ts'
import type { Conversation } from './conversations.server.ts'
import { piecesText } from '#app/features/catalog/catalog.ts'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import { TypedSearch } from '#app/ui/typed-search.tsx'
import { type ConversationSearch, SHOWN, type Shown, conversationQuery } from './conversation-search.ts'
import { ConversationView, type ConversationViewProps, PersonPhoto } from './conversation-view.tsx'
import css from './conversations-page.module.css'

type Props = Omit<ConversationViewProps, 'conversation' | 'acting'> & { list: FoundConversations; conversation: Conversation | null }

/** MSG-01 to MSG-05, ROLES-22 */
export function ConversationsPage({ list, conversation, items, timeZone, viewerId, refused }: Props) {
  const listId = useId()
  // Lives here, above the conversation, so that the text of its deletion outlives it.
  const acting = useFetcher<Answer>()
  useAnswerToasts(acting.data)
  // On a phone: the list stands alone until a conversation is chosen, or the button asks for the other of the two.
  const here = conversation?.id ?? ''
  const [asked, setAsked] = useState({ at: here, isListShown: conversation === null })
  // An empty list has nothing to say on a phone; the words beside it have.
  const hasList = list.counts.all > 0
  // A customer who leaves takes it along, and a guest who moves into an account, perhaps while it is read.
  const isGone = useParams().orderid !== undefined && conversation === null
  const isListShown = hasList && (asked.at === here ? asked.isListShown : conversation === null)

  return (
    <main className={`page ${css.page}`} id="main">
      <header className={`cluster ${css.head}`}>
        <h1>Messages</h1>
        <AlertsButton />
        {/* Without script the list is the page without a conversation. */}
        <Form action="/manage/messages/" className={css.select}>
          <button
            className="button quiet"
            disabled={!hasList}
            aria-expanded={isListShown}
            aria-controls={listId}
            onClick={(event) => {
              event.preventDefault()
              setAsked({ at: here, isListShown: !isListShown })
            }}
          >
            Select Message
          </button>
        </Form>
      </header>
      <div className={`card ${css.screen} ${isListShown ? css.withList : ''}`}>
        <nav className={`slim ${css.list}`} id={listId} aria-label="Conversations">
          <ConversationList list={list} chosenId={conversation?.id ?? null} timeZone={timeZone} viewerId={viewerId} />
        </nav>
        {conversation ? (
          <ConversationView key={conversation.id} {...{ conversation, items, timeZone, viewerId, refused, acting }} />
        ) : (
          <p className={`empty ${css.none}`}>
            {hasList
              ? `${isGone ? 'This conversation is not here any more. ' : ''}Choose a conversation from the list.`
              : 'Not a single knot here yet. When a customer writes, the conversation appears here.'}
          </p>
        )}
      </div>
    </main>
  )
}

type ConversationListProps = Pick<Props, 'list' | 'timeZone' | 'viewerId'> & { chosenId: string | null }

/** MSG-01, MSG-02, S-081, S-177 */
function ConversationList({ list: { lines, counts, search, older }, chosenId, timeZone, viewerId }: ConversationListProps) {
  const { pathname } = useLocation()
  return (
    <>
      <ConversationFinder search={search} counts={counts} />
      {lines.length === 0 && <p className="empty">{nothingText(search)}</p>}
      <ul role="list">
        {lines.map((line) => (
          <li key={line.id}>
            <Link
              className={`row same-color undecorated ruled ${css.line}`}
              to={href('/manage/messages/:orderid?', { orderid: line.id }) + conversationQuery(search)}
              aria-current={line.id === chosenId ? 'page' : undefined}
            >
              <PersonPhoto photoURL={line.user.photoURL} />
              <span className={`slim ${css.words}`}>
                <span className={`strong one-line ${css.name}`}>{nameOf(line.user)}</span>
                <span className={`one-line ${css.last}`}>
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
                <span className={`badge ${css.unread}`}>
                  {line.unread.toLocaleString('en-US')}
                  <span className="unseen"> unread</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {(older || search.behind) && (
        <div className={`cluster ${css.parts}`}>
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

const names: Record<Shown, string> = { all: 'All', unread: 'Unread', requests: 'Requests' }

/** S-177; the conversation that is open stays open. */
function ConversationFinder({ search, counts }: Pick<FoundConversations, 'search' | 'counts'>) {
  const { pathname } = useLocation()
  return (
    <div className={`stack ruled ${css.finder}`}>
      <TypedSearch
        among="Conversations"
        label="Search conversations"
        placeholder="Name, e-mail or piece"
        text={search.text}
        queryOf={(text) => conversationQuery({ text, shown: search.shown, behind: null })}
        className={css.search}
      >
        {search.shown !== 'all' && <input type="hidden" name="show" value={search.shown} />}
      </TypedSearch>
      <ul role="list" className="choices">
        {SHOWN.map((shown) => (
          <li key={shown}>
            <Link
              to={pathname + conversationQuery({ text: search.text, shown, behind: null })}
              preventScrollReset
              aria-current={shown === search.shown ? 'true' : undefined}
            >
              {names[shown]} <span className="tabular">{counts[shown].toLocaleString('en-US')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
