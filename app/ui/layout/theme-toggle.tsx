import { createContext, useContext } from 'react'
import { useFetcher, useFetchers } from 'react-router'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { Moon, Sun } from '#app/ui/icons.tsx'
import css from './theme-toggle.module.css'
import { frameTexts } from '../texts.ts'

export type Theme = 'dark' | 'light'
const KEY = 'theme'

/** The server uses the theme from the request for pages whose data could not be read. In the browser, the attribute `data-theme` of the document contains the theme. */
export const RequestThemeContext = createContext<Theme | null>(null)

/** Returns the theme that the visitor chose, even while the shop is still saving it. [THEME-04] */
export function useShownTheme(stored: Theme | undefined): Theme {
  const requested = useContext(RequestThemeContext)
  const chosen = useFetchers()
    .find((fetcher) => fetcher.key === KEY)
    ?.formData?.get('theme')
  if (chosen === 'dark' || chosen === 'light') return chosen
  return (
    stored ??
    requested ??
    (typeof document !== 'undefined' && document.documentElement.dataset.theme === 'light'
      ? 'light'
      : 'dark')
  )
}

export function ThemeToggle({ theme }: { theme: Theme | undefined }) {
  const fetcher = useFetcher({ key: KEY })
  const isDark = useShownTheme(theme) === 'dark'
  return (
    <fetcher.Form
      method="post"
      action="/theme"
      className="row"
    >
      <RedirectToField />
      <label className={`aligned apart anchor ${css.toggle}`}>
        <span className={css.label}>{frameTexts.darkTheme}</span>
        <input
          type="checkbox"
          name="theme"
          value="dark"
          checked={isDark}
          className={`fill flush ${css.box}`}
          onChange={(event) =>
            void fetcher.submit(
              { theme: event.currentTarget.checked ? 'dark' : 'light' },
              { method: 'post', action: '/theme' },
            )
          }
        />
        <span
          className={`rigid raised round ${css.track}`}
          aria-hidden="true"
        >
          <span className={`in-middle round ${css.thumb}`}>
            {isDark ? <Moon size={14} /> : <Sun size={14} />}
          </span>
        </span>
      </label>
      {/* The browser sends no value for an unchecked checkbox, so this hidden field sends "light". */}
      <input
        type="hidden"
        name="theme"
        value="light"
      />
      <noscript>
        <button className={`button quiet ${css.change}`}>{frameTexts.changeTheme}</button>
      </noscript>
    </fetcher.Form>
  )
}
