/** The bell with the count of unread messages (NAV-44 to NAV-48). */
import { Bell as BellIcon } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import type { Role } from '#app/platform/context.ts'
import { withPanel } from '#app/features/conversations/message-address.ts'
import css from './navigation-bar.module.css'

const saying = (unread: number) => (unread === 0 ? 'No unread messages' : unread === 1 ? '1 unread message' : `${unread} unread messages`)

export function Bell({ role, unread }: { role: Role; unread: number }) {
  const { pathname, search } = useLocation()
  useCountInTitle(unread)
  const to = role === 'admin' ? '/manage/messages/' : { pathname, search: withPanel(search) }
  return (
    <Link to={to} className={`icon-button ${css.bell}`} aria-label={saying(unread)} title={saying(unread)} preventScrollReset>
      <BellIcon size={22} aria-hidden="true" />
      {/* S-008: no number at 0 */}
      {unread > 0 && (
        <span className={css.count} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  )
}

/** "(3) Gallery": a tab in the background tells of news as well. */
function useCountInTitle(unread: number) {
  // The title belongs to the pages; the number is put before whatever they write there.
  useEffect(() => {
    const write = (count: number) => {
      const bare = document.title.replace(/^\(\d+\) /, '')
      const wanted = count > 0 ? `(${count}) ${bare}` : bare
      if (document.title !== wanted) document.title = wanted
    }
    write(unread)
    const observer = new MutationObserver(() => write(unread))
    observer.observe(document.head, { subtree: true, childList: true, characterData: true })
    return () => {
      observer.disconnect()
      write(0)
    }
  }, [unread])
}
