import { createContext, useContext } from 'react'
import { useFetcher, useFetchers } from 'react-router'
import { RedirectToField } from '#ui/redirect-field.tsx'
import { Moon, Sun } from '#ui/icons.tsx'
import css from './theme-toggle.module.css'
import { frameTexts } from '../texts.ts'

export type Theme = 'dark' | 'light'
const KEY = 'theme'

export const RequestThemeContext = createContext<Theme | null>(null)

export function useShownTheme(stored: Theme | undefined) {
  const requested = useContext(RequestThemeContext)
  const chosen = useFetchers()
    .find((fetcher) => fetcher.key === KEY)
    ?.formData?.get('theme')
  if (chosen === 'dark' || chosen === 'light') return chosen
  const isLight =
    typeof document !== 'undefined' && document.documentElement.dataset.theme === 'light'
  return stored ?? requested ?? (isLight ? 'light' : 'dark')
}

export function ThemeToggle({ theme }: { theme: Theme | undefined }) {
  const fetcher = useFetcher({ key: KEY })
  const isDark = useShownTheme(theme) === 'dark'
  return (
    <fetcher.Form
      method="post"
      action="/theme"
      className="flex items-center gap-3"
    >
      <RedirectToField />
      <label className={`flex items-center justify-between relative ${css.toggle}`}>
        <span className={css.label}>{frameTexts.darkTheme}</span>
        <input
          type="checkbox"
          name="theme"
          value="dark"
          checked={isDark}
          className={`size-full m-0 ${css.box}`}
          onChange={(event) =>
            void fetcher.submit(
              { theme: event.currentTarget.checked ? 'dark' : 'light' },
              { method: 'post', action: '/theme' },
            )
          }
        />
        <span
          className={`flex-none bg-raised rounded-full ${css.track}`}
          aria-hidden="true"
        >
          <span className={`grid place-items-center rounded-full ${css.thumb}`}>
            {isDark ? <Moon size={14} /> : <Sun size={14} />}
          </span>
        </span>
      </label>
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
