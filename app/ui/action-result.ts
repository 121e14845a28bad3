export type ActionResult = {
  ok: boolean
  toasts?: string[]
  /** The name of the field that caused the error. */
  field?: string
  error?: string
  /** The error text of each field. Only forms that show several errors at the same time need these texts. */
  errors?: Record<string, string>
  help?: string
}

export type ActionOutcome<Result extends ActionResult = ActionResult> = {
  answer: Result
  status: number
}

export const done = (...toasts: string[]): ActionOutcome => ({
  answer: { ok: true, ...(toasts.length > 0 && { toasts }) },
  status: 200,
})
export const refused = <Result extends ActionResult = ActionResult>(
  status: number,
  result?: Omit<Result, 'ok'>,
): ActionOutcome<Result> => ({
  answer: { ok: false, ...result } as Result,
  status,
})

/** Converts a refusal that contains the HTTP status, such as the result of `tooManyRequests`, into an action outcome. */
export const refusedWith = ({
  status,
  ...answer
}: ActionResult & { status: number }): ActionOutcome => ({ answer, status })

/** The result of a write. `field` names the field that caused a refusal. If the record was deleted, `field` is null. */
export type WriteResult =
  | { ok: true; toasts?: string[] }
  | { ok: false; field: string; error: string }
  | { ok: false; field: null }
export const writeOutcome = (saved: WriteResult): ActionOutcome =>
  saved.ok
    ? done(...(saved.toasts ?? []))
    : saved.field === null
      ? refused(404)
      : refused(422, saved)
export const foundOutcome = (isFound: boolean): ActionOutcome => (isFound ? done() : refused(404))

/** The browser creates this result when a form could not be sent, or when the shop failed. Each failure creates a new instance, so that React detects a second failure. */
export class SubmissionFailed implements ActionResult {
  ok = false
}
/** The browser creates this result when a form did not reach the shop. */
export class SubmissionUnsent extends SubmissionFailed {}

/** Loads the page's data again even after the shop refused a write. If the form could not be sent, nothing is loaded, because loading would keep the form's button disabled until the browser is online again. */
export const revalidateUnlessOffline = ({ actionResult }: { actionResult?: unknown }): boolean =>
  !(actionResult instanceof SubmissionFailed)
