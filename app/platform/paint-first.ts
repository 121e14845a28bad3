/** The router's first steps towards a page take longer than a frame on a slow phone: the press on the link is answered before. Browser only. */
import { afterPaint } from './after-paint.ts'

let isSet = false

/** Once the router is there. Forms are under way at once, as whoever sends them twice must find them (sent-once.ts). */
export function paintFirst(): void {
  const router = window.__reactRouterDataRouter
  if (!router || isSet) return
  isSet = true
  const { navigate } = router
  router.navigate = async (to, options) => {
    if (!options?.formMethod) await afterPaint()
    return navigate(to, options)
  }
}
