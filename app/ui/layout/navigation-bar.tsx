import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { Menu } from '#app/ui/icons.tsx'
import { loginPath } from '#app/ui/link-props.ts'
import { prefetchingLink } from '#app/ui/link-props.ts'
import place from '#app/ui/row-link.module.css'
import { KnotMark } from './knot-mark.tsx'
import css from './navigation-bar.module.css'
import { ThemeToggle, type Theme } from './theme-toggle.tsx'
import { frameTexts as texts } from '../texts.ts'

const links = [
  [texts.gallery, '/gallery/'],
  [texts.testimonials, '/testimonials/'],
  [texts.contact, '/contact/'],
  [texts.about, '/about/'],
] as const

/** A shop name with more characters than this has smaller text on a phone, and up to three lines. */
const LONG_NAME = 24

type Props = { shopName: string; theme?: Theme; offersLogin?: boolean; children?: ReactNode }

export function NavigationBar({ shopName, theme, offersLogin = false, children }: Props) {
  const { pathname, search } = useLocation()
  // When the visitor selects a color, the URL changes without React Router, so the login link reads the query string from the browser's address.
  const [shown, setShown] = useState('')
  const updateSearch = () => setShown(location.search)
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.matches(':popover-open') && menu.current.hidePopover()
  // The open menu closes when the window becomes wide, because a wide window shows the links in a row.
  useEffect(() => {
    const wide = matchMedia('(min-width: 48.0625em)')
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  return (
    <header className={`ruled ${css.bar} no-print`}>
      <nav
        className={`row ${css.inside}`}
        aria-label={texts.navigation}
      >
        <Link
          to="/"
          {...prefetchingLink}
          className={`tap undecorated slim ${css.brand}`}
        >
          <KnotMark className={`rigid ${css.mark}`} />
          <span className={`two-lines ${shopName.length > LONG_NAME ? css.long : ''}`}>
            {shopName}
          </span>
        </Link>
        {/* CSS shows these links as a popup on phones and as a row on wide screens. */}
        <div
          id="menu"
          popover="auto"
          ref={menu}
          className={css.links}
        >
          {links.map(([name, to]) => (
            <NavLink
              key={to}
              to={to}
              {...prefetchingLink}
              className={`aligned undecorated ${place.row} unbroken ${css.link}`}
              onClick={close}
            >
              {name}
            </NavLink>
          ))}
          <ThemeToggle theme={theme} />
          {offersLogin && (
            <NavLink
              to={loginPath(pathname + (shown || search))}
              className={`aligned undecorated ${place.row} unbroken ${css.link} ${css.login}`}
              onClick={close}
              onPointerEnter={updateSearch}
              onFocus={updateSearch}
            >
              {texts.login}
            </NavLink>
          )}
        </div>
        {children}
        <button
          type="button"
          className={`icon-button rigid ${css.menu}`}
          popoverTarget="menu"
          aria-label={texts.menu}
        >
          <Menu
            size={24}
            aria-hidden="true"
          />
        </button>
      </nav>
    </header>
  )
}
