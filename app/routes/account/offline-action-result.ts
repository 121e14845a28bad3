import { data } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'

/** Returns a function that handles an error of `serverAction` in the browser. If the form could not be sent, the function returns `refused`, and the page keeps the typed text. If the error is a redirect from the shop, the function throws the redirect again. */
export const offlineActionResult =
  (refused: ActionResult) =>
  (error: unknown): ReturnType<typeof data<ActionResult>> => {
    if (error instanceof Response) throw error
    return data<ActionResult>(refused, { status: 503 })
  }
