export type AuditDetail = Readonly<Record<string, unknown>>

export const isAuditDetail = (value: unknown): value is AuditDetail => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists the owner's actions. The audit log feature adds them to this interface, because it has a message for each action. */
export interface AuditActions {}
