import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

const never = () => () => {}

export const useHydrated = () =>
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
