/** Without script a form names the page to return to; with it the page stays and the answer comes back to it. */
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const never = () => () => {}

/** false in the server's HTML and until hydration, true after it. */
export const useHasScript = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

export function BackField() {
  const location = useLocation()
  return useHasScript() ? null : <input type="hidden" name="back" value={location.pathname + location.search} />
}
