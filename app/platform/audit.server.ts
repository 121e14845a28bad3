/** The owner's acts, each written in the transaction that does it. */
import type { Tx } from '#db/tables.ts'
import type { Act } from './acts.ts'
import { fold } from './fold.ts'

export type RecordedAct = {
  at: number
  actor: string
  act: Act
  /** the plain id of the thing; empty where the act concerns no single one */
  subject: string
  /** what the thing is called at this moment: the history shows it and finds it by it, even when the thing is gone */
  name?: string | undefined
  /** other words to find it by */
  also?: string
  /** `before` and `after` of what changed are shown beside each other; nothing secret */
  detail?: Record<string, unknown>
}

/** Most details say it already. */
const nameIn = ({ name, title }: Record<string, unknown>): string => [name, title].find((word) => typeof word === 'string') ?? ''

/** Gives back the number under which the act stands in the history. */
export async function recordAct(tx: Tx, { detail = {}, name = nameIn(detail), also = '', ...act }: RecordedAct): Promise<number> {
  const row = { ...act, name, words: fold(`${name} ${also}`.trim()), detail: JSON.stringify(detail) }
  const { seq } = await tx.insertInto('audit').values(row).returning('seq').executeTakeFirstOrThrow()
  return seq
}
