/** Keeps typed text while the shop cannot be reached, and runs failed loaders again afterwards. */
import type { KeyboardEvent, MouseEvent, SubmitEvent } from 'react'
import { data, isRouteErrorResponse, redirect, type DataStrategyResult, type MiddlewareFunction } from 'react-router'
import { connectivity, checkConnectivity, whenOnline } from '#app/client/connectivity.ts'
import { SubmissionFailed } from '#app/ui/action-result.ts'
import { offlineTexts } from '#app/ui/texts.ts'
import { showToast } from '#app/ui/toast-store.ts'

/** Statuses with which a proxy answers while the shop is down, or the shop itself during an outage. */
const UNAVAILABLE_STATUSES = [502, 503, 504]
const RETRY_AFTER_MS = 2000
const MAX_RETRIES = 5
let retries = 0
/** React Router puts an error that an action's request threw into `data`. */
const causeOf = (result: unknown): unknown => (result && typeof result === 'object' && 'data' in result ? result.data : result)
const isUnreachable = (cause: unknown): boolean =>
  cause instanceof TypeError || (isRouteErrorResponse(cause) && UNAVAILABLE_STATUSES.includes(cause.status))

type Results = Record<string, DataStrategyResult>

/** Client middleware of the root route: keeps the current page when a request fails because of the connection. Redirects and error responses that a route throws pass through. */
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next()
  const failed = Object.entries(results).filter(
    ([, { type, result }]) => type === 'error' && !(result instanceof Response) && !request.signal.aborted,
  )
  const isAway = failed.some(([, { result }]) => isUnreachable(isRouteErrorResponse(result) ? result : causeOf(result)))
  if (isAway) checkConnectivity()
  if (request.method === 'GET') {
    if (isAway) return retryLoaders(request, results, failed)
    retries = 0
    return results
  }
  for (const [id] of failed) {
    showToast(isAway ? offlineTexts.notSent : offlineTexts.failed)
    // After a result with status 503 or another error, the router does not run the loaders again.
    results[id] = { type: 'data', result: data(new SubmissionFailed(), { status: 503 }) }
  }
  return results
}

/** The displayed page keeps its data; the page that the user opens is requested again once the shop responds. */
async function retryLoaders(request: Request, results: Results, failed: [string, DataStrategyResult][]): Promise<Results> {
  const { pathname, search } = new URL(request.url)
  if (pathname + search === location.pathname + location.search) {
    for (const [id] of failed) delete results[id]
    return results
  }
  if (++retries > MAX_RETRIES) {
    retries = 0
    return results
  }
  await whenOnline(request.signal)
  await new Promise((done) => setTimeout(done, RETRY_AFTER_MS * (retries - 1)))
  for (const [id] of failed) results[id] = { type: 'error', result: redirect(pathname + search) }
  return results
}

/** Stops a form whose button is disabled [S-275], or that cannot reach the shop. `data-unsent` is the toast to show; `data-queued` exempts a form. */
export function guardSubmit(event: SubmitEvent<HTMLElement>): void {
  const form = event.target as unknown as HTMLFormElement
  const isPending = event.nativeEvent.submitter?.ariaDisabled === 'true'
  const isLost = connectivity.isLost() && form.method === 'post' && form.dataset.queued === undefined
  if (!isPending && !isLost) return
  event.preventDefault()
  event.stopPropagation()
  if (isPending) return
  checkConnectivity()
  showToast(form.dataset.unsent ?? offlineTexts.notSent)
}

/** Milliseconds in which a second key press without another key in between counts as a repetition. */
const KEY_REPEAT_MS = 500
let lastKeyPress: { button: HTMLButtonElement; at: number } | null = null

/** Another key shows that the next Enter is intended. */
export function forgetKeyPress({ key }: KeyboardEvent<HTMLElement>): void {
  if (key !== 'Enter' && key !== ' ') lastKeyPress = null
}

/** A double click, or Enter pressed twice, can arrive before the button looks unavailable. The second one sends nothing. */
export function ignoreDoubleClick(event: MouseEvent<HTMLElement>): void {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[aria-disabled]')
  if (button?.type !== 'submit') return
  // Clicks by keyboard have a count of 0.
  const isKeyPress = event.detail === 0
  const isRepeated = isKeyPress && button === lastKeyPress?.button && event.timeStamp - lastKeyPress.at < KEY_REPEAT_MS
  if (isKeyPress) lastKeyPress = { button, at: event.timeStamp }
  if (isRepeated || event.detail > 1) event.preventDefault()
}
