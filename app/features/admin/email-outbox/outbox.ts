import type { OutboxTable } from '#db/schema.ts'

import type { ActionResult } from '#app/ui/action-result.ts'

export type EmailState = 'failed' | 'waiting' | 'under-way'
export type OutboxEmail = OutboxTable & { state: EmailState; lossText: string }
/** Is null if the owner has not entered a mailbox. */
export type MailboxView = { host: string; port: string; user: string; savedAt: number } | null
export type MailboxAnswer = ActionResult & { typed?: Record<string, string> }
/** `sent` and `written` count the emails of the last 30 days that were sent, and those that were only written as files */
export type OutboxView = {
  hasServer: boolean
  canSend: boolean
  mailbox: MailboxView
  emails: OutboxEmail[]
  sent: number
  written: number
}
