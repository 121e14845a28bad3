import { createContext, useContext, useSyncExternalStore } from 'react'
import { useFetcher, useFetchers } from 'react-router'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { Moon, Sun } from '#app/ui/icons.tsx'
import css from './theme-toggle.module.css'
import { frameTexts } from '../texts.ts'

export type Theme = 'dark' | 'light'
/** device: as the browser prefers */
export type StoredTheme = Theme | 'device'
const KEY = 'theme'

/** On the server: `theme` for pages whose data could not be read. In the browser the document's attribute is used. */
export const RequestContext = createContext<{ theme: Theme | null; nonce: string | undefined } | null>(null)

/** Before hydration, DeviceThemeScript has set the theme. */
const devicePrefers = () => matchMedia('(prefers-color-scheme:light)')
const deviceTheme = () => (devicePrefers().matches ? 'light' : 'dark')
const serverTheme = () => 'dark' as const
function onDeviceTheme(listener: () => void) {
  const query = devicePrefers()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Sets the theme before the page is painted, because the server does not know what the device prefers. */
export const DeviceThemeScript = () => (
  <script
    nonce={useContext(RequestContext)?.nonce}
    suppressHydrationWarning
    dangerouslySetInnerHTML={{
      __html: "if(matchMedia('(prefers-color-scheme:light)').matches)document.documentElement.dataset.theme='light'",
    }}
  />
)

/** The chosen theme, also while it is being saved. [THEME-04] */
export function useShownTheme(stored: StoredTheme | undefined): Theme {
  const requested = useContext(RequestContext)?.theme
  const preferred = useSyncExternalStore(onDeviceTheme, deviceTheme, serverTheme)
  const chosen = useFetchers()
    .find((fetcher) => fetcher.key === KEY)
    ?.formData?.get('theme')
  if (chosen === 'dark' || chosen === 'light') return chosen
  if (stored === 'device') return preferred
  return stored ?? requested ?? (typeof document !== 'undefined' && document.documentElement.dataset.theme === 'light' ? 'light' : 'dark')
}

export function ThemeToggle({ theme }: { theme: StoredTheme | undefined }) {
  const fetcher = useFetcher({ key: KEY })
  const isDark = useShownTheme(theme) === 'dark'
  return (
    <fetcher.Form method="post" action="/theme" className="row">
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
            void fetcher.submit({ theme: event.currentTarget.checked ? 'dark' : 'light' }, { method: 'post', action: '/theme' })
          }
        />
        <span className={`rigid raised round ${css.track}`} aria-hidden="true">
          <span className={`in-middle round ${css.thumb}`}>{isDark ? <Moon size={14} /> : <Sun size={14} />}</span>
        </span>
      </label>
      {/* An unchecked box sends nothing, so this value counts. */}
      <input type="hidden" name="theme" value="light" />
      <noscript>
        <button className={`button quiet ${css.change}`}>{frameTexts.changeTheme}</button>
      </noscript>
    </fetcher.Form>
  )
}
