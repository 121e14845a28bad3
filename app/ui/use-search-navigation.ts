import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

/** 'typed' if the user is typing a search text, 'chosen' if the search comes from a checkbox or a select. */
type SearchState = 'typed' | 'chosen'

/** Returns a function that opens the URL of a search. While the user types, each search replaces the previous one in the browser's history, unless Back or Forward led to it. */
export function useSearchNavigation(): (to: string, state: SearchState) => void {
  const navigate = useNavigate()
  const location = useLocation()
  const isBack = useNavigationType() === 'POP'
  // The URL of the browser changes before React renders the new location. Until then, this URL tells that the search was typed.
  const typedUrl = useRef('')
  useEffect(() => {
    typedUrl.current = ''
  }, [location.key])
  return (to, state) => {
    const url = new URL(to, document.URL).href
    const replace =
      url === document.URL || (state === 'typed' && ((location.state === 'typed' && !isBack) || typedUrl.current === document.URL))
    if (state === 'typed') typedUrl.current = url
    void navigate(to, { state, preventScrollReset: true, replace })
  }
}
