import { z, type ZodType } from 'zod'
import type { Refusal } from '../refusal.ts'
import { type ActionOutcome, type ActionResult, done, refused } from '#ui/action-result.ts'
import { notSavedText } from '#ui/texts.ts'
import { FORM_NOT_READ, formText, validateForm } from './form-data.server.ts'

type Answer = Omit<ActionResult, 'ok'>
type RefusalAnswer = Answer & { status: number }

type RefusalTable<Code extends string> = Readonly<Record<Code, RefusalAnswer>>

export type DetailedRefusalTable<Refused extends Refusal, Context> = {
  readonly [Code in Refused['refusal']]:
    | RefusalAnswer
    | ((refusal: Extract<Refused, { refusal: Code }>, context: Context) => RefusalAnswer)
}

const statuses: Record<string, number> = { 'not-found': 404, failed: 500 }

export const refusalTable = <Code extends string>(
  texts: Readonly<Record<Code, string>>,
  toAnswer: (text: string) => Answer = (error) => ({ error }),
  status = 409,
): RefusalTable<Code | 'failed'> =>
  Object.fromEntries(
    Object.entries<string>({ failed: notSavedText, ...texts }).map(([code, text]) => [
      code,
      { status: statuses[code] ?? status, ...toAnswer(text) },
    ]),
  ) as RefusalTable<Code | 'failed'>

export type FormHandler<Context, Result extends ActionResult = ActionResult> = (
  context: Context,
  form: FormData,
) => Promise<ActionOutcome<Result>>

export type ActionTable<Context, Result extends ActionResult = ActionResult> = Readonly<
  Record<string, FormHandler<Context, Result>>
>

export const handles = (table: Readonly<Record<string, unknown>>, form: FormData) =>
  Object.hasOwn(table, formText(form, 'intent'))

export async function handleForm<Context, Result extends ActionResult>(
  table: ActionTable<Context, Result>,
  context: Context,
  form: FormData,
) {
  const handler = handles(table, form) ? table[formText(form, 'intent')] : undefined
  return handler ? handler(context, form) : refused(400, { error: FORM_NOT_READ })
}

export const confirmed =
  <Context, Result extends ActionResult>(
    handler: FormHandler<Context, Result>,
    { status = 400, ...answer }: Answer & { status?: number } = { error: FORM_NOT_READ },
  ): FormHandler<Context, Result | ActionResult> =>
  async (context, form) =>
    formText(form, 'confirm') === 'Yes'
      ? handler(context, form)
      : refused<ActionResult>(status, answer)

export const textField = z.string().default('')

type UseCaseResult = { ok: true } | Refusal
type SuccessOf<Result> = Extract<Result, { ok: true }>
type RefusalOf<Result> = Extract<Result, Refusal>

type FormAction<Context, Fields, Result extends UseCaseResult> = {
  schema: ZodType<Fields> | ((context: Context) => ZodType<Fields>)
  invalid?: (errors: Record<string, string>) => Answer
  run: (context: Context, fields: Fields) => Promise<Result>
  success?: string | readonly string[] | ((result: SuccessOf<Result>) => string | readonly string[])
  refusals: DetailedRefusalTable<RefusalOf<NoInfer<Result>>, Context>
}

export const formAction =
  <Context, Fields, Result extends UseCaseResult>({
    schema,
    invalid,
    run,
    success = [],
    refusals,
  }: FormAction<Context, Fields, Result>): FormHandler<Context> =>
  async (context, form) => {
    const fields = typeof schema === 'function' ? schema(context) : schema
    const typed = validateForm(fields, Object.fromEntries(form))
    if (!typed.ok) {
      const { ok: _, ...errors } = typed
      return refused(422, invalid ? invalid(typed.errors) : errors)
    }
    const result = await run(context, typed.data)
    if (!result.ok) return refusedBy(refusals, result as RefusalOf<Result>, context)
    const texts = typeof success === 'function' ? success(result as SuccessOf<Result>) : success
    return done(...(typeof texts === 'string' ? [texts] : texts))
  }

export function refusedBy<Refused extends Refusal, Context = undefined>(
  refusals: DetailedRefusalTable<Refused, Context>,
  refusal: Refused,
  context?: Context,
): ActionOutcome {
  type Row = RefusalAnswer | ((refusal: Refused, context?: Context) => RefusalAnswer)
  const row = refusals[refusal.refusal as Refused['refusal']] as Row
  const { status, ...answer } = typeof row === 'function' ? row(refusal, context) : row
  return refused(status, answer)
}

export const outcomeOf = <Result extends UseCaseResult>(
  result: Result,
  refusals: DetailedRefusalTable<RefusalOf<Result>, undefined>,
  ...toasts: readonly string[]
): ActionOutcome => (result.ok ? done(...toasts) : refusedBy(refusals, result as RefusalOf<Result>))
