import { useEffect, useRef, type ReactNode } from 'react'
import { Form, Link, useLocation, type LinkProps } from 'react-router'
import type { Role, User } from '#services/context.ts'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import {
  Bell,
  LogOut,
  MessageCircle,
  Package,
  Store,
  UserRound,
  UserRoundPlus,
} from '#ui/icons.tsx'
import { withPanel } from '#ui/message-panel-url.ts'
import { photoOf } from '#ui/profile-photo.ts'
import { ConfirmButton } from '#ui/dialog-button.tsx'
import { userMenuTexts as texts } from './texts.ts'
import css from './user-menu.module.css'

type MenuUser = Pick<User, 'name' | 'email' | 'image' | 'role'>

/** The first name, or the email address up to "@". [NAV-33] */
export function greetingName({ name, email, role }: Omit<MenuUser, 'image'>) {
  if (role === 'guest') return texts.guest
  return name.trim().split(/\s+/)[0] || email.split('@')[0] || texts.guest
}

type UserMenuProps = { user: MenuUser; unread: number; onSessionEnd: () => void }

export function UserMenu({ user, unread, onSessionEnd }: UserMenuProps) {
  useEndOfSession(onSessionEnd)
  return (
    <>
      <UnreadBadge
        role={user.role}
        unread={unread}
      />
      <ProfileMenu user={user} />
    </>
  )
}

/** Does nothing if the session has only expired, so that typed texts stay. [S-486] */
function useEndOfSession(onSessionEnd: () => void) {
  useEffect(() => {
    let isEnded = false
    const listen = () => void (isEnded = true)
    addEventListener('session-ended', listen)
    return () => {
      removeEventListener('session-ended', listen)
      // React removes the menu when the page has no user anymore.
      if (isEnded) onSessionEnd()
    }
  }, [onSessionEnd])
}

function UnreadBadge({ role, unread }: { role: Role; unread: number }) {
  const { pathname, search } = useLocation()
  useUnreadNotifications(unread, role === 'owner' ? '/manage/messages/' : '/?messages=')
  const to = role === 'owner' ? '/manage/messages/' : { pathname, search: withPanel(search) }
  return (
    <Link
      to={to}
      id="bell"
      className="icon-button flex-none relative"
      aria-label={texts.unread(unread)}
      title={texts.unread(unread)}
      preventScrollReset
    >
      <Bell size={22} />
      {unread > 0 && (
        <span
          className={`text-center rounded-full ${css.count}`}
          aria-hidden="true"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  )
}

const notifications = () => import('#messaging/notifications/notifications.ts')

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

function ProfileMenu({ user }: { user: MenuUser }) {
  const popup = useRef<HTMLDivElement>(null)
  const { pathname, search } = useLocation()
  const photo = photoOf(user.image)
  const close = () => popup.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        className={`grid place-items-center flex-none rounded-full ${css.photo}`}
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
        className={`card m-0 text-inherit ${css.popup}`}
      >
        <p className={`flex items-center gap-3 text-lg border-b ${css.greeting}`}>
          <img
            src={photo}
            width={48}
            height={48}
            alt=""
          />
          <span>{texts.greeting(greetingName(user))}</span>
        </p>
        {user.role === 'owner' && (
          <MenuLink
            to="/manage/"
            Icon={Store}
            label={texts.manage}
            onClick={close}
          />
        )}
        {user.role === 'customer' && (
          <MenuLink
            to={{ pathname, search: withPanel(search) }}
            Icon={MessageCircle}
            label={texts.messages}
            onClick={close}
            preventScrollReset
          />
        )}
        {user.role === 'guest' && (
          <LinkGuest
            from={pathname + search}
            onSubmit={close}
          />
        )}
        {user.role !== 'owner' && (
          <MenuLink
            to="/account/orders/"
            Icon={Package}
            label={texts.orders}
            onClick={close}
          />
        )}
        {user.role !== 'guest' && (
          <MenuLink
            to="/account/"
            Icon={UserRound}
            label={texts.accountPage}
            onClick={close}
          />
        )}
        <Logout isGuest={user.role === 'guest'} />
      </div>
    </>
  )
}

const LinkGuest = ({ from, onSubmit }: { from: string; onSubmit: () => void }) => (
  <>
    <p className={`text-sm bg-raised ${css.warning}`}>{texts.guestWarning}</p>
    <Form
      action="/link-guest/"
      onSubmit={onSubmit}
    >
      <input
        type="hidden"
        name="from"
        value={from}
      />
      <button className={css.entry}>
        <UserRoundPlus size={20} />
        {texts.linkAccount}
      </button>
    </Form>
  </>
)

type MenuLinkProps = LinkProps & { Icon: typeof Bell; label: string }

const MenuLink = ({ Icon, label, ...link }: MenuLinkProps) => (
  <Link
    className={css.entry}
    {...link}
  >
    <Icon size={20} />
    {label}
  </Link>
)

function Logout({ isGuest }: { isGuest: boolean }) {
  const { pathname, search } = useLocation()
  const form = useActionForm()
  const label = (
    <>
      <LogOut size={20} />
      {texts.logout}
    </>
  )
  const logoutForm = (buttons: ReactNode) => (
    <ActionForm
      form={form}
      action="/logout"
      fields={{ from: pathname + search }}
    >
      {buttons}
    </ActionForm>
  )
  if (isGuest) {
    return (
      <ConfirmButton
        question={texts.logoutQuestion}
        label={label}
        className={css.entry}
        isPending={form.isPending}
        isDestructive
      >
        {logoutForm}
      </ConfirmButton>
    )
  }
  return logoutForm(<SubmitButton className={css.entry}>{label}</SubmitButton>)
}
