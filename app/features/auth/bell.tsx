/** The bell with the count of unread messages (NAV-44 to NAV-48). */
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { Bell as BellIcon } from '#app/ui/icons.tsx'
import type { Role } from '#app/platform/context.ts'
import { withPanel } from '#app/ui/message-address.ts'
import css from './profile-menu.module.css'

const saying = (unread: number) => (unread === 0 ? 'No unread messages' : unread === 1 ? '1 unread message' : `${unread} unread messages`)

export function Bell({ role, unread }: { role: Role; unread: number }) {
  const { pathname, search } = useLocation()
  useNewsOutside(unread, role === 'admin' ? '/manage/messages/' : '/?messages=')
  const to = role === 'admin' ? '/manage/messages/' : { pathname, search: withPanel(search) }
  return (
    <Link to={to} className="icon-button rigid anchor" aria-label={saying(unread)} title={saying(unread)} preventScrollReset>
      <BellIcon size={22} aria-hidden="true" />
      {/* S-008: no number at 0 */}
      {unread > 0 && (
        <span className={`centered-text round ${css.count}`} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  )
}

/** S-184: the title, a sound and a notification tell of news too; their script comes after the page, and to nobody who is not signed in. */
function useNewsOutside(unread: number, to: string) {
  // Title, speaker and notifications are the browser's, outside React.
  useEffect(() => {
    let isOver = false
    void import('#app/features/messaging/notifications/notifications.ts').then(
      ({ tellUnread }) => isOver || tellUnread(unread, saying(unread), to),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [unread, to])
  useEffect(
    () => () => {
      void import('#app/features/messaging/notifications/notifications.ts').then(
        ({ tellNothing }) => tellNothing(),
        () => {},
      )
    },
    [],
  )
}
