import type { Tx } from '#db/schema.ts'
import { isOwnerId } from './owner-id.ts'
import { type AuditAction, isAuditDetail, type AuditDetail } from './audit-actions.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'

export type AuditEvent = {
  at: number
  actor: string
  act: AuditAction
  subject: string
  name?: string | undefined
  also?: string
  detail?: Record<string, unknown>
}

const subjectName = ({ name, title }: Record<string, unknown>) =>
  [name, title].find((word) => typeof word === 'string') ?? ''

/** Color names contain underscores, but the owner types spaces. [COLOR-04] */
export const auditSearchText = (text: string) =>
  normalizeForSearch(text.trim()).replaceAll('_', ' ')

export async function recordAuditEvent(
  tx: Tx,
  { detail = {}, name = subjectName(detail), also = '', ...act }: AuditEvent,
) {
  const { seq } = await tx
    .insertInto('audit')
    .values({
      ...act,
      name,
      words: auditSearchText(`${name} ${also}`),
      detail: JSON.stringify(detail),
    })
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq
}

export async function recordAccountEvent(
  tx: Tx,
  userId: string,
  act: Omit<AuditEvent, 'actor' | 'subject'>,
) {
  if (isOwnerId(userId)) await recordAuditEvent(tx, { ...act, actor: userId, subject: userId })
}

export function parseAuditDetail(text: string): AuditDetail {
  try {
    const detail: unknown = JSON.parse(text)
    return isAuditDetail(detail) ? detail : {}
  } catch {
    return {}
  }
}
