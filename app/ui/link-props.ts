/** Props for `<Link>`: prefetches on intent and uses a view transition. [S-253] */

const prefersReducedData = (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection?.saveData === true

export const prefetchingLink = { prefetch: prefersReducedData ? 'none' : 'intent', viewTransition: true } as const
