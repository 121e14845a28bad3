/** For `<Link {...quickLink}>`: the page is fetched when the visitor turns to its link, and takes the place of this one softly (S-253). */

const sparesData = (globalThis.navigator as { connection?: { saveData?: boolean } } | undefined)?.connection?.saveData === true

export const quickLink = { prefetch: sparesData ? 'none' : 'intent', viewTransition: true } as const
