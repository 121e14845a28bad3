/** Keeps the current page and the typed text while the browser cannot reach the shop. After the reconnect, the browser opens the page that it could not load. */
import type { KeyboardEvent, MouseEvent, SubmitEvent } from 'react'
import {
  data,
  isRouteErrorResponse,
  redirect,
  type DataStrategyResult,
  type MiddlewareFunction,
} from 'react-router'
import { connectivity, checkConnectivity, whenOnline } from '#app/client/connectivity.ts'
import { SubmissionFailed, SubmissionUnsent } from '#app/ui/action-result.ts'
import { offlineTexts } from '#app/ui/texts.ts'
import { showToast } from '#app/ui/toast-store.ts'

/** A proxy returns these HTTP statuses while the shop is down. The shop itself returns 503 during an outage of its database or storage. */
const UNAVAILABLE_STATUSES = [502, 503, 504]
const RETRY_AFTER_MS = 2000
const MAX_RETRIES = 5
let retries = 0
/** Returns the error of a failed request. React Router wraps the error of a failed action in an object with the field `data`. */
const causeOf = (result: unknown): unknown =>
  result && typeof result === 'object' && 'data' in result ? result.data : result
const isUnreachable = (cause: unknown): boolean =>
  cause instanceof TypeError ||
  (isRouteErrorResponse(cause) && UNAVAILABLE_STATUSES.includes(cause.status))

type Results = Record<string, DataStrategyResult>

/** Runs in the browser around every request for the data of a route. If the connection fails, the user stays on the current page. */
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next()
  const failed = Object.entries(results).filter(
    ([, { type, result }]) =>
      type === 'error' && !(result instanceof Response) && !request.signal.aborted,
  )
  const isAway = failed.some(([, { result }]) =>
    isUnreachable(isRouteErrorResponse(result) ? result : causeOf(result)),
  )
  if (isAway) checkConnectivity()
  if (request.method === 'GET') {
    if (isAway) return retryLoaders(request, results, failed)
    retries = 0
    return results
  }
  for (const [id] of failed) {
    showToast(isAway ? offlineTexts.notSent : offlineTexts.failed)
    // The result has an error status, so that React Router does not run the loaders again.
    results[id] = {
      type: 'data',
      result: data(isAway ? new SubmissionUnsent() : new SubmissionFailed(), { status: 503 }),
    }
  }
  return results
}

/** Keeps the old data of the displayed page if new data cannot be loaded. If the user is opening a different page, the browser requests that page again after the reconnect. */
async function retryLoaders(
  request: Request,
  results: Results,
  failed: [string, DataStrategyResult][],
): Promise<Results> {
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

/** Blocks the submission of a form whose button is disabled, and of every POST form while the browser is offline. A form with `data-queued` may be submitted offline. If an offline form has `data-unsent`, the toast about the blocked submission shows the text in `data-unsent`. [S-275] */
export function guardSubmit(event: SubmitEvent<HTMLElement>): void {
  const form = event.target as unknown as HTMLFormElement
  const isPending = event.nativeEvent.submitter?.ariaDisabled === 'true'
  const isLost =
    connectivity.isLost() && form.method === 'post' && form.dataset.queued === undefined
  if (!isPending && !isLost) return
  event.preventDefault()
  event.stopPropagation()
  if (isPending) return
  checkConnectivity()
  showToast(form.dataset.unsent ?? offlineTexts.notSent)
}

/** The shop ignores a second press of Enter or Space on the same button within this many milliseconds. */
const KEY_REPEAT_MS = 500
let lastKeyPress: { button: HTMLButtonElement; at: number } | null = null

/** After the user presses a key other than Enter and Space, the shop does not ignore the next press of Enter or Space as a repetition. */
export function forgetKeyPress({ key }: KeyboardEvent<HTMLElement>): void {
  if (key !== 'Enter' && key !== ' ') lastKeyPress = null
}

/** Ignores the second click of a double click and a quickly repeated key press on a submit button, because the first submission may not have disabled the button yet. */
export function ignoreDoubleClick(event: MouseEvent<HTMLElement>): void {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[aria-disabled]')
  if (button?.type !== 'submit') return
  // `detail` is the number of clicks, or 0 if the user pressed a key.
  const isKeyPress = event.detail === 0
  const isRepeated =
    isKeyPress &&
    button === lastKeyPress?.button &&
    event.timeStamp - lastKeyPress.at < KEY_REPEAT_MS
  if (isKeyPress) lastKeyPress = { button, at: event.timeStamp }
  if (isRepeated || event.detail > 1) event.preventDefault()
}
