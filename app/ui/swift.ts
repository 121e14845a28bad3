/** How links to the shop's own pages behave: the next page is fetched once a visitor means to go there, and takes the place of this one softly. */
import { sparesData } from '#app/platform/someone.ts'

/**
 * For `<Link {...swift()}>`: one page for each link that a pointer, a finger or the focus rests on, and nothing for who spares data (041).
 * Where the browser can, one page fades into the next, on the way back too; whoever wants stillness gets it at once.
 */
export const swift = () => ({ prefetch: sparesData() ? ('none' as const) : ('intent' as const), viewTransition: fades() })

// Asked for once: a page has dozens of links.
const wantsStillness = import.meta.env.SSR ? null : matchMedia('(prefers-reduced-motion: reduce)')
const fades = (): boolean => wantsStillness !== null && 'startViewTransition' in document && !wantsStillness.matches
