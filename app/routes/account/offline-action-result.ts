import { data } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'

/** Runs only in the browser. If a form cannot be sent, the function returns the result `refused`, so that the page keeps the typed text. A redirect from the shop is thrown again. */
export const offlineActionResult =
  (refused: ActionResult) =>
  (error: unknown): ReturnType<typeof data<ActionResult>> => {
    if (error instanceof Response) throw error
    return data<ActionResult>(refused, { status: 503 })
  }
