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

/** Browser only: what a form is answered that could not be sent, or failed on the way. Another one each time, or a second failure would not be noticed. */
export class NotSent implements Answer {
  ok = false
}

/**
 * For pages that read again what is stored also after a refused write. One that did not get through reads nothing: it would wait for the
 * connection, its button with it, as if the form were still to go out.
 */
export const readsAgain = ({ actionResult }: { actionResult?: unknown }): boolean => !(actionResult instanceof NotSent)
