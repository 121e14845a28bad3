/** `RedirectToField` is a hidden field that forms contain without JavaScript. The field contains the URL to which the shop redirects the browser. */
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const never = () => () => {}

/** Returns false while the server renders and while the browser hydrates the page, and true afterwards. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

export function RedirectToField() {
  const location = useLocation()
  return useHydrated() ? null : (
    <input
      type="hidden"
      name="back"
      value={location.pathname + location.search}
    />
  )
}
