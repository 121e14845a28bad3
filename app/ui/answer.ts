/** What an action tells the page: texts for toasts, and for a refused field the error beside it. */

export type Answer = {
  ok: boolean
  /** shown as toasts, one after the other */
  toasts?: string[]
  /** name of the field that the error stands beside */
  field?: string
  error?: string
}
