import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { Menu } from '#ui/icons.tsx'
import { loginPath, prefetchingLink } from '#ui/link-props.ts'
import place from '#ui/row-link.module.css'
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

const LONG_NAME = 24
const linkClass = `flex items-center no-underline ${place.row} whitespace-nowrap ${css.link}`

type NavigationBarProps = {
  shopName: string
  theme?: Theme
  offersLogin?: boolean
  children?: ReactNode
}

export function NavigationBar({ shopName, theme, offersLogin, children }: NavigationBarProps) {
  const { pathname, search } = useLocation()
  const [currentSearch, setCurrentSearch] = useState('')
  const updateSearch = () => setCurrentSearch(location.search)
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.matches(':popover-open') && menu.current.hidePopover()
  useEffect(() => {
    const wide = matchMedia('(min-width: 48.0625em)')
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  return (
    <header className={`border-b ${css.bar} no-print`}>
      <nav
        className={`flex items-center gap-3 ${css.inside}`}
        aria-label={texts.navigation}
      >
        <Link
          to="/"
          {...prefetchingLink}
          className={`tap no-underline min-w-0 ${css.brand}`}
        >
          <KnotMark className={`flex-none ${css.mark}`} />
          <span className={`line-clamp-2 ${shopName.length > LONG_NAME ? css.long : ''}`}>
            {shopName}
          </span>
        </Link>
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
              className={linkClass}
              onClick={close}
            >
              {name}
            </NavLink>
          ))}
          <ThemeToggle theme={theme} />
          {offersLogin && (
            <NavLink
              to={loginPath(pathname + (currentSearch || search))}
              className={`${linkClass} ${css.login}`}
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
          className={`icon-button flex-none ${css.menu}`}
          popoverTarget="menu"
          aria-label={texts.menu}
        >
          <Menu />
        </button>
      </nav>
    </header>
  )
}
