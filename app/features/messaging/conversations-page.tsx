import { useId, useState } from 'react'
import { Form, Link, href, useFetcher, useLocation, useParams } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'
import { NotificationsButton } from '#app/features/messaging/notifications/notification-settings.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { customerName } from '#app/features/orders/order.ts'
import type { ConversationRow, FoundConversations } from './conversation-list.server.ts'
import type { Conversation } from './conversations.server.ts'
import { useTimeZone } from '#app/client/use-time-zone.ts'
import { formatDate, formatTime } from '#app/ui/format-date.ts'
import { SearchForm } from '#app/ui/search-form.tsx'
import { type ConversationSearch, FILTERS, conversationQuery } from './conversation-search.ts'
import { ConversationView, type ConversationViewProps, ProfilePhoto } from './conversation-view.tsx'
import { LastMessage } from './last-message.tsx'
import { conversationsTexts as texts } from './owner-texts.ts'
import css from './conversations-page.module.css'

type Props = Omit<ConversationViewProps, 'conversation' | 'acting'> & {
  list: FoundConversations
  conversation: Conversation | null
}

export function ConversationsPage({ list, conversation, refused, ...shown }: Props) {
  const listId = useId()
  // The fetcher belongs to the page, because a deleted conversation disappears before the page shows the result.
  const acting = useFetcher<ActionResult>()
  useActionToasts(acting.data)
  // A phone shows either the conversation list or one conversation. After the owner has opened the list, the list stays open until she chooses another conversation.
  const here = conversation?.id ?? ''
  const [view, setView] = useState({ at: here, isListShown: conversation === null })
  // On a phone, the page hides an empty list of conversations.
  const hasList = list.counts.all > 0
  // The conversation may disappear while the owner reads it, for example when the customer deletes her account, or when a guest's conversation moves into an account.
  const isGone = useParams().orderid !== undefined && conversation === null
  const isListShown = hasList && (view.at === here ? view.isListShown : conversation === null)

  return (
    <main
      className={`page ${css.page}`}
      id="main"
    >
      <header className={`cluster ${css.head}`}>
        <h1>{texts.title}</h1>
        <NotificationsButton />
        {conversation && (
          <Form
            action="/manage/messages/"
            className={css.select}
          >
            <button
              className="button quiet"
              aria-expanded={isListShown}
              aria-controls={listId}
              onClick={(event) => {
                event.preventDefault()
                setView({ at: here, isListShown: !isListShown })
              }}
            >
              {texts.select}
            </button>
          </Form>
        )}
      </header>
      <div className={`card ${css.screen} ${isListShown ? css.withList : ''}`}>
        <nav
          className={`slim ${css.list}`}
          id={listId}
          aria-label={texts.list}
        >
          <ConversationList
            list={list}
            chosenId={conversation?.id ?? null}
            timeZone={shown.timeZone}
            viewerId={shown.viewerId}
          />
        </nav>
        {conversation ? (
          <ConversationView
            key={conversation.id}
            {...{ conversation, refused, acting, ...shown }}
          />
        ) : (
          <p className={`empty ${css.none}`}>
            {hasList ? (isGone ? texts.gone : '') + texts.choose : texts.none}
          </p>
        )}
      </div>
    </main>
  )
}

type ConversationListProps = Pick<Props, 'list' | 'timeZone' | 'viewerId'> & {
  chosenId: string | null
}

function ConversationList({
  list: { lines, counts, search, older },
  chosenId,
  timeZone: ofShop,
  viewerId,
}: ConversationListProps) {
  const timeZone = useTimeZone(ofShop)
  const { pathname } = useLocation()
  return (
    <>
      <ConversationSearchForm
        search={search}
        counts={counts}
      />
      {lines.length === 0 && <p className="empty">{emptyText(search)}</p>}
      <ul role="list">
        {lines.map((line) => (
          <li key={line.id}>
            <Link
              className={`row same-color undecorated ruled ${css.line}`}
              to={
                href('/manage/messages/:orderid?', { orderid: line.id }) + conversationQuery(search)
              }
              aria-current={line.id === chosenId ? 'page' : undefined}
            >
              <ProfilePhoto photoURL={line.user.photoURL} />
              <span className={`slim ${css.words}`}>
                <span
                  className={`strong one-line ${css.name}`}
                  dir="auto"
                >
                  {customerName(line.user)}
                </span>
                <span
                  className={`one-line ${css.last}`}
                  dir="auto"
                >
                  <LastMessage
                    {...line}
                    viewerId={viewerId}
                  />
                </span>
                <span className={css.when}>
                  {noteText(line) && <span className={css.note}>{noteText(line)}</span>}
                  <span>{formatDate(line.lastMessageAt, timeZone)},</span>
                  <span>{formatTime(line.lastMessageAt, timeZone)}</span>
                </span>
              </span>
              {line.unread > 0 && (
                <span className={`badge ${css.unread}`}>
                  {line.unread.toLocaleString('en-US')}
                  <span className="visually-hidden">{texts.unread}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {(older || search.behind) && (
        <div className={`cluster ${css.parts}`}>
          {search.behind && (
            <Link
              className="button quiet"
              to={pathname + conversationQuery({ ...search, behind: null })}
              preventScrollReset
            >
              {texts.newest}
            </Link>
          )}
          {older && (
            <Link
              className="button quiet"
              to={pathname + conversationQuery({ ...search, behind: older })}
              preventScrollReset
            >
              {texts.older}
            </Link>
          )}
        </div>
      )}
    </>
  )
}

const noteText = ({ fromContactPage, isClosed, pieces }: ConversationRow): string =>
  fromContactPage
    ? texts.contactPage
    : isClosed
      ? texts.closed
      : pieces > 0
        ? texts.asksFor(pieces)
        : ''

function emptyText({ text, shown, behind }: ConversationSearch): string {
  if (behind) return texts.noOlder
  if (text.trim() !== '') return texts.noneFound(text.trim())
  return texts.noneShown[shown]
}

/** A search changes only the list of conversations, so an open conversation stays open. [S-177] */
function ConversationSearchForm({ search, counts }: Pick<FoundConversations, 'search' | 'counts'>) {
  const { pathname } = useLocation()
  return (
    <div className={`stack ruled ${css.finder}`}>
      <SearchForm
        among={texts.list}
        label={texts.search}
        placeholder={texts.searchPlaceholder}
        text={search.text}
        queryOf={(text) => conversationQuery({ text, shown: search.shown, behind: null })}
        className={css.search}
      >
        {search.shown !== 'all' && (
          <input
            type="hidden"
            name="show"
            value={search.shown}
          />
        )}
      </SearchForm>
      <ul
        role="list"
        className="choices"
      >
        {FILTERS.map((shown) => (
          <li key={shown}>
            <Link
              to={pathname + conversationQuery({ text: search.text, shown, behind: null })}
              preventScrollReset
              aria-current={shown === search.shown ? 'true' : undefined}
            >
              {texts.filters[shown]}{' '}
              <span className="tabular">{counts[shown].toLocaleString('en-US')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
