/** What becomes of a page when the shop cannot be reached: what was typed stays, and what only reads goes on by itself. Browser only. */
import type { KeyboardEvent, MouseEvent, SubmitEvent } from 'react'
import { data, isRouteErrorResponse, redirect, type DataStrategyResult, type MiddlewareFunction } from 'react-router'
import { connection, doubtConnection, whenReached } from '#app/platform/connection.ts'
import { NotSent } from '#app/ui/answer.ts'
import { awayTexts } from '#app/ui/away-texts.ts'
import { showToast } from '#app/ui/toast-store.ts'

/** A proxy in front of the shop, or the shop itself during an outage, answers so. */
const AWAY_STATUSES = [502, 503, 504]
const RETRY_AFTER_MS = 2000
const MAX_RETRIES = 5
let retries = 0
/** The router wraps what an action's request threw. */
const causeOf = (result: unknown): unknown => (result && typeof result === 'object' && 'data' in result ? result.data : result)
/** `fetch` throws a TypeError when it gets no answer. */
const isUnreachable = (cause: unknown): boolean =>
  cause instanceof TypeError || (isRouteErrorResponse(cause) && AWAY_STATUSES.includes(cause.status))

type Results = Record<string, DataStrategyResult>

/** Client middleware of the root route. What routes throw on purpose (a redirect, their own refusal) goes on as it is. */
export const keepPage: MiddlewareFunction<Results> = async ({ request }, next) => {
  const results = await next()
  const failed = Object.entries(results).filter(
    ([, { type, result }]) => type === 'error' && !(result instanceof Response) && !request.signal.aborted,
  )
  const isAway = failed.some(([, { result }]) => isUnreachable(isRouteErrorResponse(result) ? result : causeOf(result)))
  if (isAway) doubtConnection()
  if (request.method === 'GET') {
    if (isAway) return readLater(request, results, failed)
    retries = 0
    return results
  }
  for (const [id] of failed) {
    showToast(isAway ? awayTexts.notSent : awayTexts.failed)
    // This status asks the router for no new data: what is shown stays.
    results[id] = { type: 'data', result: data(new NotSent(), { status: 503 }) }
  }
  return results
}

/** A page that is shown already keeps its data; another one is asked for again once the shop answers. */
async function readLater(request: Request, results: Results, failed: [string, DataStrategyResult][]): Promise<Results> {
  const { pathname, search } = new URL(request.url)
  if (pathname + search === location.pathname + location.search) {
    for (const [id] of failed) delete results[id]
    return results
  }
  if (++retries > MAX_RETRIES) {
    retries = 0
    return results
  }
  await whenReached(request.signal)
  await new Promise((done) => setTimeout(done, RETRY_AFTER_MS * (retries - 1)))
  for (const [id] of failed) results[id] = { type: 'error', result: redirect(pathname + search) }
  return results
}

/** For the document: a form is not sent while its button is unavailable [S-275] or the shop cannot be reached; `data-unsent` says so, `data-queued` keeps it. */
export function guardSubmit(event: SubmitEvent<HTMLElement>): void {
  const form = event.target as unknown as HTMLFormElement
  const isPending = event.nativeEvent.submitter?.ariaDisabled === 'true'
  const isLost = connection.isLost() && form.method === 'post' && form.dataset.queued === undefined
  if (!isPending && !isLost) return
  event.preventDefault()
  event.stopPropagation()
  if (isPending) return
  doubtConnection()
  showToast(form.dataset.unsent ?? awayTexts.notSent)
}

/** A key press that follows another within this time, without any other key in between, is its repetition. */
const KEY_REPEAT_MS = 500
let lastKeyPress: { button: HTMLButtonElement; at: number } | null = null

/** For the document: whoever has typed or closed something in between presses Enter for a new reason. */
export function forgetKeyPress({ key }: KeyboardEvent<HTMLElement>): void {
  if (key !== 'Enter' && key !== ' ') lastKeyPress = null
}

/** For the document: a double click, or Enter pressed twice, may come before the page could show the button as unavailable; the second one sends nothing. */
export function ignoreDoubleClick(event: MouseEvent<HTMLElement>): void {
  const button = (event.target as Element).closest<HTMLButtonElement>('button[aria-disabled]')
  if (button?.type !== 'submit') return
  // Browsers count the clicks of a pointer; a click by key has no count.
  const isKeyPress = event.detail === 0
  const isRepeated = isKeyPress && button === lastKeyPress?.button && event.timeStamp - lastKeyPress.at < KEY_REPEAT_MS
  if (isKeyPress) lastKeyPress = { button, at: event.timeStamp }
  if (isRepeated || event.detail > 1) event.preventDefault()
}
