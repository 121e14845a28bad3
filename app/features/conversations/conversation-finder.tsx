/** Above the list: what to look for, and which conversations to show. */
import { Link, useLocation } from 'react-router'
import { TypedSearch } from '#app/ui/typed-search.tsx'
import { conversationQuery, SHOWN, type ConversationList, type Shown } from './conversation-search.ts'
import css from './conversation-finder.module.css'

const names: Record<Shown, string> = { all: 'All', unread: 'Unread', requests: 'Requests' }

/** S-177; the conversation that is open stays open. */
export function ConversationFinder({ search, counts }: Pick<ConversationList, 'search' | 'counts'>) {
  const { pathname } = useLocation()
  return (
    <div className={css.finder}>
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
