/** The bar above every page (NAV-21): brand, links, theme, and who is signed in. */
import { Menu } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, NavLink } from 'react-router'
import { swift } from '#app/ui/swift.ts'
import place from '#app/ui/row-link.module.css'
import { KnotMark } from './knot-mark.tsx'
import css from './navigation-bar.module.css'
import type { MenuUser } from './profile-menu.tsx'
import { SignedIn } from './signed-in-later.tsx'
import { ThemeToggle, type Theme } from './theme-toggle.tsx'

const links = [
  ['Gallery', '/gallery/'],
  ['Testimonials', '/testimonials/'],
  ['Contact', '/contact/'],
  ['About', '/about/'],
] as const

/** `user` undefined: who asks could not be found out, so neither the login nor a menu is offered. */
type Props = { shopName: string; theme?: Theme; user?: MenuUser | null; unread?: number }

export function NavigationBar({ shopName, theme, user, unread = 0 }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.matches(':popover-open') && menu.current.hidePopover()
  // A popup that is open when the window grows would keep its place on the top layer and miss the row.
  useEffect(() => {
    const wide = matchMedia('(min-width: 769px)')
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  return (
    <header className={`${css.bar} no-print`}>
      <nav className={css.inside} aria-label="Shop">
        <Link to="/" {...swift()} className={css.brand}>
          <KnotMark className={css.mark} />
          <span className={css.name}>{shopName}</span>
        </Link>
        {/* A popup on phones, a plain row on wide screens: the style sheet decides. */}
        <div id="menu" popover="auto" ref={menu} className={css.links}>
          {links.map(([name, to]) => (
            <NavLink key={to} to={to} {...swift()} className={`${place.row} ${css.link}`} onClick={close}>
              {name}
            </NavLink>
          ))}
          <ThemeToggle theme={theme} />
          {user === null && (
            <NavLink to="/login/" className={`${place.row} ${css.link} ${css.login}`} onClick={close}>
              Login | Register
            </NavLink>
          )}
        </div>
        {user && <SignedIn user={user} unread={unread} />}
        <button type="button" className={`icon-button ${css.menu}`} popoverTarget="menu" aria-label="Menu">
          <Menu size={24} aria-hidden="true" />
        </button>
      </nav>
    </header>
  )
}
