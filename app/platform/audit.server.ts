import type { Tx } from '#db/schema.ts'
import { isAdminId } from './admin-id.ts'
import { isDetail, type Acts, type Detail } from './audit-detail.ts'
import { fold } from './fold.ts'

export type RecordedAct = {
  at: number
  actor: string
  act: keyof Acts
  /** the plain id of the thing; empty where the act concerns no single one */
  subject: string
  /** what the thing is called at this moment: the history shows it and finds it by it, even when the thing is gone */
  name?: string | undefined
  also?: string
  /** `before` and `after` of what changed are shown beside each other; nothing secret */
  detail?: Record<string, unknown>
}

const nameIn = ({ name, title }: Record<string, unknown>): string => [name, title].find((word) => typeof word === 'string') ?? ''

export async function recordAct(tx: Tx, { detail = {}, name = nameIn(detail), also = '', ...act }: RecordedAct): Promise<number> {
  const row = { ...act, name, words: fold(`${name} ${also}`.trim()), detail: JSON.stringify(detail) }
  const { seq } = await tx.insertInto('audit').values(row).returning('seq').executeTakeFirstOrThrow()
  return seq
}

/** Records what the owner does to her own account; what other people do to theirs is not recorded. */
export async function recordOwnAct(tx: Tx, userId: string, act: Omit<RecordedAct, 'actor' | 'subject'>): Promise<void> {
  if (isAdminId(userId)) await recordAct(tx, { ...act, actor: userId, subject: userId })
}

export function readDetail(text: string): Detail {
  try {
    const detail: unknown = JSON.parse(text)
    return isDetail(detail) ? detail : {}
  } catch {
    return {}
  }
}
