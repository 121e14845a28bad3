import { data } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'

/** Runs only in the browser. If a form cannot be sent, it returns this result, so that the page stays with the typed text. Redirects are thrown again. */
export const offlineActionResult =
  (refused: ActionResult) =>
  (error: unknown): ReturnType<typeof data<ActionResult>> => {
    if (error instanceof Response) throw error
    return data<ActionResult>(refused, { status: 503 })
  }
