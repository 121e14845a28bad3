import type { KeyboardEvent, MouseEvent, SubmitEvent } from 'react'
import {
  data,
  isRouteErrorResponse,
  redirect,
  type DataStrategyResult,
  type MiddlewareFunction,
} from 'react-router'
import { connectivity, checkConnectivity, whenOnline } from './connectivity.ts'
import { SubmissionFailed, SubmissionUnsent } from '../ui/action-result.ts'
import { offlineTexts } from '../ui/texts.ts'
import { showToast } from '../ui/toasts.tsx'

const UNAVAILABLE_STATUSES = [502, 503, 504]
const RETRY_AFTER_MS = 2000
const MAX_RETRIES = 5
let retries = 0
/** React Router puts the error of a failed action into the property `data`. */
const causeOf = (result: unknown) =>
  result && typeof result === 'object' && 'data' in result ? result.data : result
const isUnreachable = (cause: unknown) =>
  cause instanceof TypeError ||
  (isRouteErrorResponse(cause) && UNAVAILABLE_STATUSES.includes(cause.status))

type Results = Record<string, DataStrategyResult>

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
    // With an error status, React Router does not run the loaders again.
    results[id] = {
      type: 'data',
      result: data(isAway ? new SubmissionUnsent() : new SubmissionFailed(), { status: 503 }),
    }
  }
  return results
}

async function retryLoaders(
  request: Request,
  results: Results,
  failed: [string, DataStrategyResult][],
) {
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

/**
 * Without a connection, stops a POST form that lacks `data-queued`, and shows its `data-unsent`
 * text in a toast. [S-275]
 */
export function guardSubmit(event: SubmitEvent<HTMLElement>) {
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

const KEY_REPEAT_MS = 500
let lastKeyPress: { button: HTMLButtonElement; at: number } | null = null

export function forgetKeyPress({ key }: KeyboardEvent<HTMLElement>) {
  if (key !== 'Enter' && key !== ' ') lastKeyPress = null
}

export function ignoreDoubleClick(event: MouseEvent<HTMLElement>) {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[aria-disabled]')
  if (button?.type !== 'submit') return
  // `event.detail` counts mouse clicks, and is 0 if a key pressed the button.
  const isKeyPress = event.detail === 0
  const isRepeated =
    isKeyPress &&
    button === lastKeyPress?.button &&
    event.timeStamp - lastKeyPress.at < KEY_REPEAT_MS
  if (isKeyPress) lastKeyPress = { button, at: event.timeStamp }
  if (isRepeated || event.detail > 1) event.preventDefault()
}
