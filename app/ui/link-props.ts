import type { MouseEvent } from 'react'

const prefersReducedData =
  (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection
    ?.saveData === true

export const prefetchingLink = {
  prefetch: prefersReducedData ? 'none' : 'intent',
  viewTransition: true,
} as const

export const loginPath = (from: string) =>
  from.startsWith('/item/') ? `/login/?from=${encodeURIComponent(from)}` : '/login/'

export function takeOverClick(event: MouseEvent) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return false
  event.preventDefault()
  return true
}
