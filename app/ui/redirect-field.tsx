/** Without JavaScript a form names the page to which the shop returns. */
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const never = () => () => {}

/** Returns false during server rendering and hydration. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

export function RedirectToField() {
  const location = useLocation()
  return useHydrated() ? null : <input type="hidden" name="back" value={location.pathname + location.search} />
}
