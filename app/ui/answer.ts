/** What an action tells the page: texts for toasts, and for a refused field the error beside it. */

export type Answer = {
  ok: boolean
  /** shown as toasts, one after the other */
  toasts?: string[]
  /** name of the field that the error stands beside */
  field?: string
  error?: string
  /** what may help, below the error */
  help?: string
}

/** Browser only: what a form is answered that could not be sent, or failed on the way. One object, known by itself. */
export const NOT_SENT = { ok: false } satisfies Answer
