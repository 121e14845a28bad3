import type { Tables, Tx } from '#db/schema.ts'
import { inTransaction, rollBackRefusals, type RunTransaction } from '#lib/db/transaction.server.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import { isRefusal, type Refusal } from '#lib/refusal.ts'
import { type AuditEvent, recordAuditEvent } from './audit-log.server.ts'
import type { AppServices } from './context.ts'
import type { Topic } from './live-topics.server.ts'

export type ChangeServices = Pick<AppServices, 'db' | 'live' | 'now' | 'log'>

export type Written<Value = unknown> = {
  ok?: never
  audit?: Omit<AuditEvent, 'at'> | undefined
  topics?: readonly Topic[]
  value?: Value
}

type ValueOf<Result> = Result extends { value: infer Value } ? Value : undefined
export type ChangeResult<Result> =
  | { ok: true; value: ValueOf<Exclude<Result, Refusal>> }
  | Extract<Result, Refusal>

/**
 * A refusal rolls back. An error is logged with the text `failure` and becomes the refusal
 * 'failed'.
 */
export async function change<Result extends Written | Refusal>(
  app: ChangeServices,
  { failure, run = inTransaction }: { failure: string; run?: RunTransaction<Tables> },
  write: (tx: Tx, now: number) => Promise<Result>,
): Promise<ChangeResult<Result> | Refusal<'failed'>> {
  const result = await tryWrite(app.log, failure, () =>
    rollBackRefusals(run)(app.db, async (tx) => {
      const now = app.now()
      const outcome = await write(tx, now)
      const audit = isRefusal(outcome) ? undefined : (outcome as Written).audit
      if (audit) await recordAuditEvent(tx, { at: now, ...audit })
      return outcome
    }),
  )
  if (isRefusal(result)) return result as Extract<Result, Refusal> | Refusal<'failed'>
  const { topics = [], value } = result as Written
  if (topics.length > 0) app.live.changed(...topics)
  return { ok: true, value: value as ValueOf<Exclude<Result, Refusal>> }
}
