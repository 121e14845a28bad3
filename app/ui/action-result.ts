export type ActionResult = {
  ok: boolean
  toasts?: string[]
  /** name of the field that the error concerns */
  field?: string
  error?: string
  /** by the name of the field, for forms that show all errors together */
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

/** Turns a refusal that contains its status, such as one of `tooManyRequests` and `reauthenticate`, into an outcome. */
export const refusedWith = ({ status, ...answer }: ActionResult & { status: number }): ActionOutcome => ({ answer, status })

/** `done`, refused with a field, or nothing to write to because it was deleted */
export type WriteResult = { ok: true; toasts?: string[] } | { ok: false; field: string; error: string } | { ok: false; field: null }
export const writeOutcome = (saved: WriteResult): ActionOutcome =>
  saved.ok ? done(...(saved.toasts ?? [])) : saved.field === null ? refused(404) : refused(422, saved)
export const foundOutcome = (isFound: boolean): ActionOutcome => (isFound ? done() : refused(404))

/** Browser only: the result of a form that could not be sent. Each one is a new instance, so that React notices a second failure. */
export class SubmissionFailed implements ActionResult {
  ok = false
}

/** For pages that load their data again even after a refused write. Offline, the page would wait for the connection with a disabled button. */
export const revalidateUnlessOffline = ({ actionResult }: { actionResult?: unknown }): boolean =>
  !(actionResult instanceof SubmissionFailed)
