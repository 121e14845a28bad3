export type Answer = {
  ok: boolean
  toasts?: string[]
  /** name of the field that the error stands beside */
  field?: string
  error?: string
  help?: string
}

export type ActionResult<Told extends Answer = Answer> = { answer: Told; status: number }

export const done = (...toasts: string[]): ActionResult => ({ answer: { ok: true, ...(toasts.length > 0 && { toasts }) }, status: 200 })
export const refused = <Told extends Answer = Answer>(status: number, told?: Omit<Told, 'ok'>): ActionResult<Told> => ({
  answer: { ok: false, ...told } as Told,
  status,
})

/** A refusal that says its status beside its texts, as `tooMany` and `proveItsYou` give it. */
export const refusedAs = ({ status, ...answer }: Answer & { status: number }): ActionResult => ({ answer, status })

/** What became of a write: done, refused beside a field, or there was nothing (any more) to write to. */
export type Saved = { ok: true; toasts?: string[] } | { ok: false; field: string; error: string } | { ok: false; field: null }
export const savedResult = (saved: Saved): ActionResult =>
  saved.ok ? done(...(saved.toasts ?? [])) : saved.field === null ? refused(404) : refused(422, saved)
export const foundResult = (isFound: boolean): ActionResult => (isFound ? done() : refused(404))

/** Browser only: what a form is answered that could not be sent, or failed on the way. Another one each time, or a second failure would not be noticed. */
export class NotSent implements Answer {
  ok = false
}

/** For pages that read again also after a refused write; one that did not get through would wait for the connection, its button with it. */
export const readsAgain = ({ actionResult }: { actionResult?: unknown }): boolean => !(actionResult instanceof NotSent)
