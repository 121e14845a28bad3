import { useSyncExternalStore } from 'react'

const QUERY = '(prefers-reduced-motion: reduce)'
const follow = (listener: () => void) => {
  const query = matchMedia(QUERY)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export const usePrefersReducedMotion = () =>
  useSyncExternalStore(
    follow,
    () => matchMedia(QUERY).matches,
    () => false,
  )
