import type { OutboxTable } from '#db/schema.ts'

type LetterState = 'failed' | 'waiting' | 'under-way'
export type OutboxLetter = OutboxTable & { state: LetterState; lossText: string }
/** `sent`: how many have left in the last 30 days */
export type OutboxView = { hasServer: boolean; letters: OutboxLetter[]; sent: number }

export const stateNames: Record<LetterState, string> = {
  failed: 'Could not be delivered',
  waiting: 'Waiting for the next try',
  'under-way': 'Being sent just now',
}

export const mailTexts = {
  delivered: 'The letter has been delivered.',
  notYet: 'The letter could not be delivered yet.',
  gone: 'This letter has left already, or is just being sent.',
  givenUp: 'The letter was given up. Its message stays in the conversations.',
} as const

export const triesText = (attempts: number): string =>
  attempts === 0 ? 'Not tried yet' : attempts === 1 ? 'Tried once' : attempts === 2 ? 'Tried twice' : `Tried ${attempts} times`

export function undeliveredText({ failed, waiting }: { failed: number; waiting: number }): string | null {
  const letters = (count: number) => (count === 1 ? '1 letter' : `${count} letters`)
  if (failed > 0) return `${letters(failed)} could not be delivered.`
  return waiting > 0 ? `${letters(waiting)} could not be delivered yet; the shop goes on trying.` : null
}
