export type ActionResult = {
  ok: boolean
  toasts?: string[]
  field?: string
  error?: string
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

export const refusedWith = ({
  status,
  ...answer
}: ActionResult & { status: number }): ActionOutcome => ({ answer, status })

/**
 * The browser creates these answers. Each is a new object, so that React notices a second failure.
 */
export class SubmissionFailed implements ActionResult {
  ok = false
}
export class SubmissionUnsent extends SubmissionFailed {}

/** While the browser is offline, loading data would keep the form's button disabled. */
export const revalidateUnlessOffline = ({ actionResult }: { actionResult?: unknown }) =>
  !(actionResult instanceof SubmissionFailed)
