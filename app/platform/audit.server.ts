/** The owner's acts, each written in the transaction that does it. */
import type { Tx } from '#db/tables.ts'

export async function recordAct(tx: Tx, act: { at: number; actor: string; act: string; subject: string; detail?: object }): Promise<void> {
  await tx
    .insertInto('audit')
    .values({ ...act, detail: JSON.stringify(act.detail ?? {}) })
    .execute()
}
