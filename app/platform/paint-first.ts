/** The router's first steps towards another page take longer than a frame on a slow phone: the press on the link is answered before. Browser only. */
import { afterPaint } from './after-paint.ts'

let isSet = false

/** Once the router is there. Forms, and what only changes this page's own address, set out at once: whoever sends them twice or folds two finds them under way. */
export function paintFirst(): void {
  const router = window.__reactRouterDataRouter
  if (!router || isSet) return
  isSet = true
  const { navigate } = router
  /** What is pressed later wins, whichever way it leads. */
  let last = 0
  window.addEventListener('popstate', () => last++)
  router.navigate = async (to, options) => {
    const own = ++last
    const leaves = typeof to === 'string' && to.startsWith('/') && new URL(to, location.href).pathname !== location.pathname
    if (leaves && !options?.formMethod) await afterPaint()
    if (own === last) return navigate(to, options)
  }
}
