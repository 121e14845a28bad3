import type { OutboxTable } from '#db/schema.ts'

import type { ActionResult } from '#app/ui/action-result.ts'

export type EmailState = 'failed' | 'waiting' | 'under-way'
export type OutboxEmail = OutboxTable & { state: EmailState; lossText: string }
/** Is null if the owner has not entered a mailbox. */
export type MailboxView = { host: string; port: string; user: string; savedAt: number } | null
export type MailboxAnswer = ActionResult & { typed?: Record<string, string> }
/** `sent` counts the emails that were sent in the last 30 days. `written` counts the emails that were only written as files in this time. */
export type OutboxView = {
  hasServer: boolean
  canSend: boolean
  mailbox: MailboxView
  emails: OutboxEmail[]
  sent: number
  written: number
}
