/** What the bar holds for somebody who is signed in: the bell (NAV-44 to NAV-48) and the popup behind the photo (NAV-31 to NAV-43). */
import { useEffect, useRef, type ReactNode } from 'react'
import { Form, Link, useFetcher, useLocation } from 'react-router'
import type { Role } from '#app/platform/context.ts'
import { countText } from '#app/ui/amounts.ts'
import type { Answer } from '#app/ui/answer.ts'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import { Bell as BellIcon, LogOut, MessageCircle, Store, UserRound, UserRoundPlus } from '#app/ui/icons.tsx'
import { withPanel } from '#app/ui/message-address.ts'
import { photoOf } from '#app/ui/profile-photo.ts'
import { Ask } from '#app/ui/question.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { firstNameOf, GUEST_WARNING } from './auth-texts.ts'
import css from './signed-in.module.css'

export const SignedIn = ({ user, unread }: { user: MenuUser; unread: number }) => (
  <>
    <Bell role={user.role} unread={unread} />
    <ProfileMenu user={user} />
  </>
)

const saying = (unread: number) => (unread === 0 ? 'No unread messages' : countText(unread, 'unread message'))

function Bell({ role, unread }: { role: Role; unread: number }) {
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

const notifications = () => import('#app/features/messaging/notifications/notifications.ts')

/** S-184: the title, a sound and a notification tell of news too; their script comes after the page, and to nobody who is not signed in. */
function useNewsOutside(unread: number, to: string) {
  // Title, speaker and notifications are the browser's, outside React.
  useEffect(() => {
    let isOver = false
    void notifications().then(
      ({ tellUnread }) => isOver || tellUnread(unread, saying(unread), to),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [unread, to])
  useEffect(
    () => () => {
      void notifications().then(
        ({ tellNothing }) => tellNothing(),
        () => {},
      )
    },
    [],
  )
}

type MenuUser = { name: string; email: string; image: string | null; role: Role }

/** Opens, closes by Esc and by a press beside it, all without script. */
function ProfileMenu({ user }: { user: MenuUser }) {
  const popup = useRef<HTMLDivElement>(null)
  const { pathname, search } = useLocation()
  const photo = photoOf(user.image)
  const close = () => popup.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        className={`in-middle rigid round ${css.photo}`}
        popoverTarget="profile"
        aria-haspopup="true"
        aria-label="Your account"
      >
        <img src={photo} width={40} height={40} alt="" />
      </button>
      <div id="profile" popover="auto" ref={popup} className={`card flush same-color ${css.popup}`}>
        <p className={`row large ruled ${css.greeting}`}>
          <img src={photo} width={48} height={48} alt="" />
          <span>{`Hello, ${firstNameOf(user)}`}</span>
        </p>
        {user.role === 'admin' && (
          <Link className={css.entry} to="/manage/" onClick={close}>
            <Store size={20} aria-hidden="true" />
            Manage Website
          </Link>
        )}
        {user.role === 'customer' && (
          <Link className={css.entry} to={{ pathname, search: withPanel(search) }} onClick={close} preventScrollReset>
            <MessageCircle size={20} aria-hidden="true" />
            Messages
          </Link>
        )}
        {user.role === 'guest' && (
          <>
            <p className={`small raised ${css.warning}`}>{GUEST_WARNING}</p>
            <Form action="/link-guest/" onSubmit={close}>
              <input type="hidden" name="from" value={pathname + search} />
              <button className={css.entry}>
                <UserRoundPlus size={20} aria-hidden="true" />
                Link Guest Account
              </button>
            </Form>
          </>
        )}
        {user.role !== 'guest' && (
          <Link className={css.entry} to="/account/" onClick={close}>
            <UserRound size={20} aria-hidden="true" />
            Account
          </Link>
        )}
        <Logout isGuest={user.role === 'guest'} />
      </div>
    </>
  )
}

/** NAV-42; S-004: a guest is asked first. */
function Logout({ isGuest }: { isGuest: boolean }) {
  const { pathname, search } = useLocation()
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const label = (
    <>
      <LogOut size={20} aria-hidden="true" />
      Logout
    </>
  )
  const form = (buttons: ReactNode) => (
    <fetcher.Form method="post" action="/logout">
      <HiddenFields from={pathname + search} />
      {buttons}
    </fetcher.Form>
  )
  if (isGuest)
    return (
      <Ask question="Log out and lose all your data?" label={label} className={css.entry} isPending={isPending}>
        {form}
      </Ask>
    )
  return form(
    <button className={css.entry} aria-disabled={isPending}>
      {label}
    </button>,
  )
}
