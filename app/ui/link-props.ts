/** Props that make a `<Link>` prefetch its page on hover or focus, and open it with a view transition. [S-253] */

const prefersReducedData = (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection?.saveData === true

export const prefetchingLink = { prefetch: prefersReducedData ? 'none' : 'intent', viewTransition: true } as const
