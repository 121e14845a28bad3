import { data } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'

/** Browser only: a lost connection is an answer too, and the page with what was typed stays. Redirects go on. */
export const lostAnswer =
  (refused: Answer) =>
  (error: unknown): ReturnType<typeof data<Answer>> => {
    if (error instanceof Response) throw error
    return data<Answer>(refused, { status: 503 })
  }
