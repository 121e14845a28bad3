/** The popup behind the profile photo (NAV-31 to NAV-43). Opens, closes by Esc and by a press beside it, all without script. */
import { Form, useLocation, Link, useFetcher } from 'react-router'
import { useRef } from 'react'
import { withPanel } from '#app/ui/message-address.ts'
import { photoOf } from '#app/ui/profile-photo.ts'
import type { Role } from '#app/platform/context.ts'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/question.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { LogOut, MessageCircle, Store, UserRound, UserRoundPlus } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { firstNameOf, GUEST_WARNING } from './auth-texts.ts'
import css from './profile-menu.module.css'

type Props = { className: string | undefined; onLeave: () => void }

export function LinkGuestAccount({ className, onLeave }: Props) {
  const { pathname, search } = useLocation()
  return (
    <Form action="/link-guest/" onSubmit={onLeave}>
      <input type="hidden" name="from" value={pathname + search} />
      <button className={className}>
        <UserRoundPlus size={20} aria-hidden="true" />
        Link Guest Account
      </button>
    </Form>
  )
}

export type MenuUser = { name: string; email: string; image: string | null; role: Role }

export function ProfileMenu({ user }: { user: MenuUser }) {
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
            <LinkGuestAccount className={css.entry} onLeave={close} />
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
  const fields = (
    <>
      <BackField />
      <input type="hidden" name="from" value={pathname + search} />
    </>
  )
  const label = (
    <>
      <LogOut size={20} aria-hidden="true" />
      Logout
    </>
  )
  if (!isGuest)
    return (
      <fetcher.Form method="post" action="/logout">
        {fields}
        <button className={css.entry} aria-disabled={fetcher.state !== 'idle'}>
          {label}
        </button>
      </fetcher.Form>
    )
  return (
    <Ask question="Log out and lose all your data?" label={label} className={css.entry} isPending={fetcher.state !== 'idle'}>
      {(yesNo) => (
        <fetcher.Form method="post" action="/logout">
          {fields}
          {yesNo}
        </fetcher.Form>
      )}
    </Ask>
  )
}
