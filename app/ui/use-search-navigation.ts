import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

/** 'typed' if the user typed a search text, 'chosen' if she changed a checkbox or a select. */
type SearchState = 'typed' | 'chosen'

/** Returns a function that opens the URL of a search. While the user types, each search replaces the previous one in the browser's history, unless the user reached the previous one with Back or Forward. */
export function useSearchNavigation(): (to: string, state: SearchState) => void {
  const navigate = useNavigate()
  const { key, pathname, search, state: shownState } = useLocation()
  const isFromHistory = useNavigationType() === 'POP'
  // The browser's URL changes before React renders the new location. Until then, a browser URL equal to `typedUrl` means that the user typed the search.
  const typedUrl = useRef('')
  useEffect(() => {
    typedUrl.current = ''
  }, [key])
  return (to, state) => {
    const url = location.pathname + location.search
    const isTyped =
      url === typedUrl.current ||
      (url === pathname + search && shownState === 'typed' && !isFromHistory)
    if (state === 'typed') typedUrl.current = to
    void navigate(to, {
      state,
      preventScrollReset: true,
      replace: to === url || (state === 'typed' && isTyped),
    })
  }
}
