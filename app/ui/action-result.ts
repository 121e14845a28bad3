export type ActionResult = {
  ok: boolean
  toasts?: string[]
  /** The name of the field that caused the error. */
  field?: string
  error?: string
  /** Forms that show all errors together have one text per field name. */
  errors?: Record<string, string>
  help?: string
}

export type ActionOutcome<Result extends ActionResult = ActionResult> = { answer: Result; status: number }

export const done = (...toasts: string[]): ActionOutcome => ({ answer: { ok: true, ...(toasts.length > 0 && { toasts }) }, status: 200 })
export const refused = <Result extends ActionResult = ActionResult>(
  status: number,
  result?: Omit<Result, 'ok'>,
): ActionOutcome<Result> => ({
  answer: { ok: false, ...result } as Result,
  status,
})

/** Converts a refusal that contains its status, for example from `tooManyRequests`, into an outcome. */
export const refusedWith = ({ status, ...answer }: ActionResult & { status: number }): ActionOutcome => ({ answer, status })

/** A write succeeds, is refused because of one field, or (`field` null) finds that the record was deleted. */
export type WriteResult = { ok: true; toasts?: string[] } | { ok: false; field: string; error: string } | { ok: false; field: null }
export const writeOutcome = (saved: WriteResult): ActionOutcome =>
  saved.ok ? done(...(saved.toasts ?? [])) : saved.field === null ? refused(404) : refused(422, saved)
export const foundOutcome = (isFound: boolean): ActionOutcome => (isFound ? done() : refused(404))

/** The browser creates this result when it cannot send a form. Each failure creates a new instance, so that React detects a second failure. */
export class SubmissionFailed implements ActionResult {
  ok = false
}

/** Loads the page's data again even after the shop refused a write. If the browser is offline, nothing is loaded, because the button would stay disabled until the connection returns. */
export const revalidateUnlessOffline = ({ actionResult }: { actionResult?: unknown }): boolean =>
  !(actionResult instanceof SubmissionFailed)
