export type AuditDetail = Readonly<Record<string, unknown>>

export const isAuditDetail = (value: unknown): value is AuditDetail => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The owner's actions. The audit log declares them, because it has a message for each one. */
export interface AuditActions {}
