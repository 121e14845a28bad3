/** What a form of "Replies and alerts" is answered. */
import type { Answer } from '#app/ui/answer.ts'

/** `place`: which form was refused, a reply's id or the form's intent; `typed` is what goes back into it. */
export type RepliesAnswer = Answer & { place?: string; typed?: Record<string, string> }

export type Refusal = { field?: string | undefined; error?: string | undefined; typed?: Record<string, string> | undefined }
export const refusalAt = (answer: RepliesAnswer | undefined, place: string): Refusal =>
  answer && !answer.ok && answer.place === place ? answer : {}
