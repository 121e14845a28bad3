export type AuditDetail = Readonly<Record<string, unknown>>

export const isAuditDetail = (value: unknown): value is AuditDetail =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists the owner's actions. The feature `audit-log` adds the actions to this interface, because each action needs a message there. */
export interface AuditActions {}
