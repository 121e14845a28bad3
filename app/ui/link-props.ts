import type { MouseEvent } from 'react'

const prefersReducedData =
  (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection
    ?.saveData === true

export const prefetchingLink = {
  prefetch: prefersReducedData ? 'none' : 'intent',
  viewTransition: true,
} as const

/** After the login, visitors return to an item and to the color that they chose. [S-017] */
export const loginPath = (from: string) =>
  from.startsWith('/item/') ? `/login/?from=${encodeURIComponent(from)}` : '/login/'

export function takeOverClick(event: MouseEvent) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return false
  event.preventDefault()
  return true
}
