import type { Tx } from '#db/schema.ts'
import { isAdminId } from './admin-id.ts'
import { isAuditDetail, type AuditActions, type AuditDetail } from './audit-detail.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'

export type AuditEvent = {
  at: number
  actor: string
  act: keyof AuditActions
  /** the id of the item, person or other subject; empty if the action does not concern a single subject */
  subject: string
  /** the name of the subject when the event happened; the audit log shows this name even after the subject was deleted */
  name?: string | undefined
  also?: string
  /** more about the action, without secrets; the audit log shows the values `before` and `after` side by side */
  detail?: Record<string, unknown>
}

const subjectName = ({ name, title }: Record<string, unknown>): string =>
  [name, title].find((word) => typeof word === 'string') ?? ''

/** Normalizes a text that the audit log is searched by, or a search text. Names of colors contain underscores, but the owner types spaces. [COLOR-04] */
export const auditSearchText = (text: string): string =>
  normalizeForSearch(text.trim()).replaceAll('_', ' ')

export async function recordAuditEvent(
  tx: Tx,
  { detail = {}, name = subjectName(detail), also = '', ...act }: AuditEvent,
): Promise<number> {
  const row = {
    ...act,
    name,
    words: auditSearchText(`${name} ${also}`),
    detail: JSON.stringify(detail),
  }
  const { seq } = await tx
    .insertInto('audit')
    .values(row)
    .returning('seq')
    .executeTakeFirstOrThrow()
  return seq
}

/** Records a change to an account only if the account is the owner's. */
export async function recordAccountEvent(
  tx: Tx,
  userId: string,
  act: Omit<AuditEvent, 'actor' | 'subject'>,
): Promise<void> {
  if (isAdminId(userId)) await recordAuditEvent(tx, { ...act, actor: userId, subject: userId })
}

export function parseAuditDetail(text: string): AuditDetail {
  try {
    const detail: unknown = JSON.parse(text)
    return isAuditDetail(detail) ? detail : {}
  } catch {
    return {}
  }
}
