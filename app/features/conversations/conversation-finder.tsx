/** Above the list: what to look for, and which conversations to show. */
import { Search } from 'lucide-react'
import { Form, Link, useLocation } from 'react-router'
import { useTypedSearch } from '#app/ui/use-typed-search.ts'
import { conversationQuery, SHOWN, type ConversationList, type Shown } from './conversation-search.ts'
import css from './conversation-finder.module.css'

const names: Record<Shown, string> = { all: 'All', unread: 'Unread', requests: 'Requests' }

/** S-177; the conversation that is open stays open. */
export function ConversationFinder({ search, counts }: Pick<ConversationList, 'search' | 'counts'>) {
  const { pathname } = useLocation()
  const { input, look, lookSoon } = useTypedSearch(
    search.text,
    (text) => pathname + conversationQuery({ text, shown: search.shown, behind: null }),
  )
  return (
    <div className={css.finder}>
      <Form
        role="search"
        aria-label="Conversations"
        className={css.search}
        action={pathname}
        onSubmit={(event) => {
          event.preventDefault()
          look()
        }}
      >
        <input
          ref={input}
          className="input"
          type="search"
          name="q"
          aria-label="Search conversations"
          placeholder="Name, e-mail or piece"
          enterKeyHint="search"
          autoComplete="off"
          maxLength={200}
          defaultValue={search.text}
          onChange={lookSoon}
        />
        {search.shown !== 'all' && <input type="hidden" name="show" value={search.shown} />}
        <button className="icon-button" aria-label="Search">
          <Search size={20} aria-hidden />
        </button>
      </Form>
      <ul role="list" className={css.shown}>
        {SHOWN.map((shown) => (
          <li key={shown}>
            <Link
              to={pathname + conversationQuery({ text: search.text, shown, behind: null })}
              preventScrollReset
              aria-current={shown === search.shown ? 'true' : undefined}
            >
              {names[shown]} <span className={css.count}>{counts[shown].toLocaleString('en-US')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
