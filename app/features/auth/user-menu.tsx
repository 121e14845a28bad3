/** The part of the navigation bar for signed-in users: the bell, and the menu that the photo opens. [NAV-31 to NAV-48] */
import { useEffect, useRef, type ReactNode } from 'react'
import { Form, Link, useFetcher, useLocation } from 'react-router'
import type { Role } from '#app/services/context.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import {
  Bell as BellIcon,
  LogOut,
  MessageCircle,
  Package,
  Store,
  UserRound,
  UserRoundPlus,
} from '#app/ui/icons.tsx'
import { withPanel } from '#app/ui/message-panel-url.ts'
import { photoOf } from '#app/ui/profile-photo.ts'
import { ConfirmButton } from '#app/ui/dialog-button.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { greetingName } from './greeting-name.ts'
import { userMenuTexts as texts } from './texts.ts'
import css from './user-menu.module.css'

export const UserMenu = ({ user, unread }: { user: MenuUser; unread: number }) => (
  <>
    <UnreadBadge
      role={user.role}
      unread={unread}
    />
    <ProfileMenu user={user} />
  </>
)

function UnreadBadge({ role, unread }: { role: Role; unread: number }) {
  const { pathname, search } = useLocation()
  useUnreadNotifications(unread, role === 'admin' ? '/manage/messages/' : '/?messages=')
  const to = role === 'admin' ? '/manage/messages/' : { pathname, search: withPanel(search) }
  return (
    <Link
      to={to}
      id="bell"
      className="icon-button rigid anchor"
      aria-label={texts.unread(unread)}
      title={texts.unread(unread)}
      preventScrollReset
    >
      <BellIcon
        size={22}
        aria-hidden="true"
      />
      {/* The bell shows no number if all messages are read. [S-008] */}
      {unread > 0 && (
        <span
          className={`centered-text round ${css.count}`}
          aria-hidden="true"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  )
}

const notifications = () => import('#app/features/messaging/notifications/notifications.ts')

/** Announces new messages with the page's title, a sound and a notification. The code for this is loaded after the page, and only for signed-in users. [S-184] */
function useUnreadNotifications(unread: number, to: string) {
  useEffect(() => {
    let isOver = false
    void notifications().then(
      ({ notifyUnread }) => isOver || notifyUnread(unread, texts.unread(unread), to),
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [unread, to])
  useEffect(
    () => () => {
      void notifications().then(
        ({ clearUnread }) => clearUnread(),
        () => {},
      )
    },
    [],
  )
}

type MenuUser = { name: string; email: string; image: string | null; role: Role }

/** The menu is a native popover, which opens and closes without JavaScript. */
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
        aria-label={texts.account}
      >
        <img
          src={photo}
          width={40}
          height={40}
          alt=""
        />
      </button>
      <div
        id="profile"
        popover="auto"
        ref={popup}
        className={`card flush same-color ${css.popup}`}
      >
        <p className={`row large ruled ${css.greeting}`}>
          <img
            src={photo}
            width={48}
            height={48}
            alt=""
          />
          <span>{texts.greeting(greetingName(user))}</span>
        </p>
        {user.role === 'admin' && (
          <Link
            className={css.entry}
            to="/manage/"
            onClick={close}
          >
            <Store
              size={20}
              aria-hidden="true"
            />
            {texts.manage}
          </Link>
        )}
        {user.role === 'customer' && (
          <Link
            className={css.entry}
            to={{ pathname, search: withPanel(search) }}
            onClick={close}
            preventScrollReset
          >
            <MessageCircle
              size={20}
              aria-hidden="true"
            />
            {texts.messages}
          </Link>
        )}
        {user.role === 'guest' && (
          <>
            <p className={`small raised ${css.warning}`}>{texts.guestWarning}</p>
            <Form
              action="/link-guest/"
              onSubmit={close}
            >
              <input
                type="hidden"
                name="from"
                value={pathname + search}
              />
              <button className={css.entry}>
                <UserRoundPlus
                  size={20}
                  aria-hidden="true"
                />
                {texts.linkAccount}
              </button>
            </Form>
          </>
        )}
        {user.role === 'customer' && (
          <Link
            className={css.entry}
            to="/account/orders/"
            onClick={close}
          >
            <Package
              size={20}
              aria-hidden="true"
            />
            {texts.orders}
          </Link>
        )}
        {user.role !== 'guest' && (
          <Link
            className={css.entry}
            to="/account/"
            onClick={close}
          >
            <UserRound
              size={20}
              aria-hidden="true"
            />
            {texts.accountPage}
          </Link>
        )}
        <Logout isGuest={user.role === 'guest'} />
      </div>
    </>
  )
}

/** Asks for confirmation before a guest logs out. [NAV-42, S-004] */
function Logout({ isGuest }: { isGuest: boolean }) {
  const { pathname, search } = useLocation()
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const label = (
    <>
      <LogOut
        size={20}
        aria-hidden="true"
      />
      {texts.logout}
    </>
  )
  const form = (buttons: ReactNode) => (
    <fetcher.Form
      method="post"
      action="/logout"
    >
      <HiddenFields from={pathname + search} />
      {buttons}
    </fetcher.Form>
  )
  if (isGuest)
    return (
      <ConfirmButton
        question={texts.logoutQuestion}
        label={label}
        className={css.entry}
        isPending={isPending}
        isDestructive
      >
        {form}
      </ConfirmButton>
    )
  return form(
    <button
      className={css.entry}
      aria-disabled={isPending}
    >
      {label}
    </button>,
  )
}
