import { useId, useState } from 'react'
import { Form, Link, href, useLocation, useParams } from 'react-router'
import { NotificationsButton } from '../notifications/notification-settings.tsx'
import { useActionForm } from '#ui/action-form.tsx'
import { customerName } from '#conversation/people.ts'
import type { ConversationRow, FoundConversations } from './conversation-list.server.ts'
import type { Conversation } from '../messages.server.ts'
import { useTimeZone } from '#client/use-time-zone.ts'
import { formatDate, formatTime } from '#ui/format-date.ts'
import { SearchForm } from '#ui/search-form.tsx'
import { type ConversationSearch, FILTERS, conversationQuery } from './conversation-search.ts'
import { ConversationView, type ConversationViewProps, ProfilePhoto } from './conversation-view.tsx'
import { LastMessage } from './last-message.tsx'
import { conversationsTexts as texts } from '../owner-texts.ts'
import css from './conversations-page.module.css'

type ConversationsPageProps = Omit<ConversationViewProps, 'conversation' | 'form'> & {
  list: FoundConversations
  conversation: Conversation | null
}

export function ConversationsPage({ list, conversation, ...view }: ConversationsPageProps) {
  const listId = useId()
  const form = useActionForm()
  // A phone shows the list or a conversation; the list stays until the owner chooses one.
  const here = conversation?.id ?? ''
  const [chosen, setChosen] = useState({ id: here, isListShown: conversation === null })
  const hasList = list.counts.all > 0
  const isDeleted = useParams().orderid !== undefined && conversation === null
  const isListShown = hasList && (chosen.id === here ? chosen.isListShown : conversation === null)

  return (
    <main
      className={`page ${css.page}`}
      id="main"
    >
      <header className={`row ${css.head}`}>
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
                setChosen({ id: here, isListShown: !isListShown })
              }}
            >
              {texts.select}
            </button>
          </Form>
        )}
      </header>
      <div className={`card ${css.screen} ${isListShown ? css.withList : ''}`}>
        <nav
          className={`min-w-0 ${css.list}`}
          id={listId}
          aria-label={texts.list}
        >
          <ConversationList
            list={list}
            chosenId={conversation?.id ?? null}
            viewerId={view.viewerId}
          />
        </nav>
        {conversation ? (
          <ConversationView
            key={conversation.id}
            conversation={conversation}
            form={form}
            {...view}
          />
        ) : (
          <p className={`empty ${css.none}`}>
            {hasList ? (isDeleted ? texts.gone : '') + texts.choose : texts.none}
          </p>
        )}
      </div>
    </main>
  )
}

type ConversationListProps = Pick<ConversationsPageProps, 'list' | 'viewerId'> & {
  chosenId: string | null
}

function ConversationList({
  list: { lines, counts, search, older },
  chosenId,
  viewerId,
}: ConversationListProps) {
  const timeZone = useTimeZone()
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
              className={`flex items-center gap-3 text-inherit no-underline border-b ${css.line}`}
              to={
                href('/manage/messages/:orderid?', { orderid: line.id }) + conversationQuery(search)
              }
              aria-current={line.id === chosenId ? 'page' : undefined}
            >
              <ProfilePhoto photoURL={line.user.photoURL} />
              <span className={`min-w-0 ${css.words}`}>
                <span
                  className={`font-semibold truncate ${css.name}`}
                  dir="auto"
                >
                  {customerName(line.user)}
                </span>
                <span
                  className={`truncate ${css.last}`}
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
                  <span className="sr-only">{texts.unread}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {(older || search.behind) && (
        <div className={`row ${css.parts}`}>
          {search.behind && (
            <PageLink search={{ ...search, behind: null }}>{texts.newest}</PageLink>
          )}
          {older && <PageLink search={{ ...search, behind: older }}>{texts.older}</PageLink>}
        </div>
      )}
    </>
  )
}

const PageLink = ({ search, children }: { search: ConversationSearch; children: string }) => (
  <Link
    className="button quiet"
    to={useLocation().pathname + conversationQuery(search)}
    preventScrollReset
  >
    {children}
  </Link>
)

function noteText({ fromContactPage, isClosed, pieces }: ConversationRow) {
  if (fromContactPage) return texts.contactPage
  if (isClosed) return texts.closed
  return pieces > 0 ? texts.asksFor(pieces) : ''
}

function emptyText({ text, shown, behind }: ConversationSearch) {
  if (behind) return texts.noOlder
  if (text.trim() !== '') return texts.noneFound(text.trim())
  return texts.noneShown[shown]
}

function ConversationSearchForm({ search, counts }: Pick<FoundConversations, 'search' | 'counts'>) {
  const { pathname } = useLocation()
  return (
    <div className={`grid gap-4 border-b ${css.finder}`}>
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
              <span className="tabular-nums">{counts[shown].toLocaleString('en-US')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
