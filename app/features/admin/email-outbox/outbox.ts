import type { OutboxTable } from '#db/schema.ts'

export type EmailState = 'failed' | 'waiting' | 'under-way'
export type OutboxEmail = OutboxTable & { state: EmailState; lossText: string }
/** `sent`: in the last 30 days */
export type OutboxView = { hasServer: boolean; emails: OutboxEmail[]; sent: number }
