import { data } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'

/** Runs only in the browser: offline, the page with the typed text stays. Redirects pass through. */
export const offlineActionResult =
  (refused: ActionResult) =>
  (error: unknown): ReturnType<typeof data<ActionResult>> => {
    if (error instanceof Response) throw error
    return data<ActionResult>(refused, { status: 503 })
  }
