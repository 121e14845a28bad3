import { useEffect, useRef, type ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { Menu } from '#app/ui/icons.tsx'
import { quickLink } from '#app/ui/quick-link.ts'
import place from '#app/ui/row-link.module.css'
import { KnotMark } from './knot-mark.tsx'
import css from './navigation-bar.module.css'
import { ThemeToggle, type Theme } from './theme-toggle.tsx'

const links = [
  ['Gallery', '/gallery/'],
  ['Testimonials', '/testimonials/'],
  ['Contact', '/contact/'],
  ['About', '/about/'],
] as const

type Props = { shopName: string; theme?: Theme; offersLogin?: boolean; children?: ReactNode }

export function NavigationBar({ shopName, theme, offersLogin = false, children }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.matches(':popover-open') && menu.current.hidePopover()
  // A popup that is open when the window grows would keep its place on the top layer and miss the row.
  useEffect(() => {
    const wide = matchMedia('(min-width: 769px)')
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  return (
    <header className={`ruled ${css.bar} no-print`}>
      <nav className={`row ${css.inside}`} aria-label="Shop">
        <Link to="/" {...quickLink} className={`tap undecorated slim ${css.brand}`}>
          <KnotMark className={`rigid ${css.mark}`} />
          <span className="two-lines">{shopName}</span>
        </Link>
        {/* A popup on phones, a plain row on wide screens: the style sheet decides. */}
        <div id="menu" popover="auto" ref={menu} className={css.links}>
          {links.map(([name, to]) => (
            <NavLink key={to} to={to} {...quickLink} className={`aligned undecorated ${place.row} unbroken ${css.link}`} onClick={close}>
              {name}
            </NavLink>
          ))}
          <ThemeToggle theme={theme} />
          {offersLogin && (
            <NavLink to="/login/" className={`aligned undecorated ${place.row} unbroken ${css.link} ${css.login}`} onClick={close}>
              Login | Register
            </NavLink>
          )}
        </div>
        {children}
        <button type="button" className={`icon-button rigid ${css.menu}`} popoverTarget="menu" aria-label="Menu">
          <Menu size={24} aria-hidden="true" />
        </button>
      </nav>
    </header>
  )
}
