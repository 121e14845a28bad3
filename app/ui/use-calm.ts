import { useSyncExternalStore } from 'react'

const calm = '(prefers-reduced-motion: reduce)'
const follow = (listener: () => void) => {
  const query = matchMedia(calm)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export const useCalm = (): boolean =>
  useSyncExternalStore(
    follow,
    () => matchMedia(calm).matches,
    () => false,
  )
