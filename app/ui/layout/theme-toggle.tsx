import { createContext, useContext } from 'react'
import { useFetcher, useFetchers } from 'react-router'
import { BackField } from '#app/ui/back-field.tsx'
import { Moon, Sun } from '#app/ui/icons.tsx'
import css from './theme-toggle.module.css'

export type Theme = 'dark' | 'light'
const KEY = 'theme'

/** What the request asked for: for pages whose data could not be read. In the browser the document itself says it. */
export const ThemeOfRequest = createContext<Theme | null>(null)

/** THEME-04: what has just been chosen, while the server is still being told. */
export function useShownTheme(stored: Theme | undefined): Theme {
  const asked = useContext(ThemeOfRequest)
  const chosen = useFetchers()
    .find((fetcher) => fetcher.key === KEY)
    ?.formData?.get('theme')
  if (chosen === 'dark' || chosen === 'light') return chosen
  return stored ?? asked ?? (typeof document !== 'undefined' && document.documentElement.dataset.theme === 'light' ? 'light' : 'dark')
}

export function ThemeToggle({ theme }: { theme: Theme | undefined }) {
  const fetcher = useFetcher({ key: KEY })
  const isDark = useShownTheme(theme) === 'dark'
  return (
    <fetcher.Form method="post" action="/theme" className="row">
      <BackField />
      <label className={`aligned apart anchor ${css.toggle}`}>
        <span className={css.label}>Dark theme</span>
        <input
          type="checkbox"
          name="theme"
          value="dark"
          checked={isDark}
          className={`fill flush ${css.box}`}
          onChange={(event) =>
            void fetcher.submit({ theme: event.currentTarget.checked ? 'dark' : 'light' }, { method: 'post', action: '/theme' })
          }
        />
        <span className={`rigid raised round ${css.track}`} aria-hidden="true">
          <span className={`in-middle round ${css.thumb}`}>{isDark ? <Moon size={14} /> : <Sun size={14} />}</span>
        </span>
      </label>
      {/* An unchecked box sends nothing: what stands after it counts then. */}
      <input type="hidden" name="theme" value="light" />
      <noscript>
        <button className={`button quiet ${css.change}`}>Change</button>
      </noscript>
    </fetcher.Form>
  )
}
