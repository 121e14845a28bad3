/** Props that make a `<Link>` prefetch its page on hover or focus, and open it with a view transition. [S-253] */

const prefersReducedData =
  (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection
    ?.saveData === true

export const prefetchingLink = {
  prefetch: prefersReducedData ? 'none' : 'intent',
  viewTransition: true,
} as const

/** A visitor who came from an item page returns to this page after the login, with the color that she selected. All other visitors go to the home page. [S-017] */
export const loginPath = (from: string): string =>
  from.startsWith('/item/') ? `/login/?from=${encodeURIComponent(from)}` : '/login/'
