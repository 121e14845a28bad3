import { data } from 'react-router'
import type { ActionResult } from '#ui/action-result.ts'

export const offlineActionResult =
  (refused: ActionResult) =>
  (error: unknown): ReturnType<typeof data<ActionResult>> => {
    if (error instanceof Response) throw error
    return data<ActionResult>(refused, { status: 503 })
  }
