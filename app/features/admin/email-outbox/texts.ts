/** The texts of the Mail screen, and of other screens that mention undelivered emails. */
import type { EmailState } from './outbox.ts'

const countText = (count: number) => (count === 1 ? '1 email' : `${count} emails`)

export const outboxTexts = {
  title: 'Mail',
  intro:
    'You also receive every message from the contact page by email. You and your customers receive an email about unread messages. If one cannot be delivered, the shop tries again after growing pauses and lists it here.',
  noMailServer: {
    before: 'No mail server is configured, so emails are written as files into the folder ',
    middle: " next to the shop's data. The person who runs the server can set ",
    after: '.',
  },
  empty: 'The outbox is empty. All emails have been sent.',
  states: {
    failed: 'Could not be delivered',
    waiting: 'Waiting for the next try',
    'under-way': 'Being sent just now',
  } satisfies Record<EmailState, string>,
  to: 'To',
  answerTo: 'Answer to',
  written: 'Written',
  attempts: 'Tries',
  attemptCount: (attempts: number) =>
    attempts === 0 ? 'Not tried yet' : attempts === 1 ? 'Tried once' : attempts === 2 ? 'Tried twice' : `Tried ${attempts} times`,
  nextAttempt: (moment: string) => `, next ${moment}`,
  error: 'Why',
  read: 'Read the email',
  tryAgain: 'Try again',
  cancel: 'Give up',
  cancelQuestion: 'Cancel this email? It will not be sent.',
  cancelVerification: 'The customer can request it again.',
  cancelNotice: 'The change that it reports was made anyway.',
  cancelMessage: 'The message itself stays in your conversations.',
  cancelContact: 'The message itself stays in your conversations; a phone number is only in the email.',
  sent: (count: number) => `${count === 1 ? '1 email has' : `${count} emails have`} been sent in the last 30 days.`,
  delivered: 'The email has been delivered.',
  notYet: 'The email could not be delivered yet.',
  gone: 'This email was sent already, or is being sent.',
  canceled: 'The email was canceled. Its message stays in the conversations.',
}

/** null: every email was delivered. */
export function undeliveredText({ failed, waiting }: { failed: number; waiting: number }): string | null {
  if (failed > 0) return `${countText(failed)} could not be delivered.`
  return waiting > 0 ? `${countText(waiting)} could not be delivered yet; the shop keeps trying.` : null
}
