import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

export function useSearchNavigation() {
  const navigate = useNavigate()
  const { key, pathname, search, state: shownState } = useLocation()
  const isFromHistory = useNavigationType() === 'POP'
  const typedUrl = useRef('')
  useEffect(() => {
    typedUrl.current = ''
  }, [key])
  return (to: string, state: 'typed' | 'chosen') => {
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
