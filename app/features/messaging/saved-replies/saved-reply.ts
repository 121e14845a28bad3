/** What the owner writes often: its limits, its texts, and how it becomes a message to somebody. */
import type { Answer } from '#app/ui/answer.ts'

export const MAX_TITLE = 60
export const MAX_REPLY = 5000

export type SavedReply = { id: string; title: string; text: string }

export const replyTexts = {
  added: 'Reply saved',
  changed: 'Reply changed',
  deleted: 'Reply deleted',
  gone: 'This reply is no longer there.',
} as const

/** S-184: the first name of whom it goes to stands for {name}; who has none is greeted without. */
export function fillReply(text: string, name: string): string {
  const first = name.trim().split(/\s+/)[0] ?? ''
  return first === '' ? text.replace(/ ?\{name\}/gi, '') : text.replace(/\{name\}/gi, () => first)
}

/** Between what stands before and after the cursor, on lines of its own where there are words already. */
export function insertReply(before: string, reply: string, after: string): { text: string; cursor: number } {
  const gap = before === '' || /\s$/.test(before) ? '' : '\n'
  const start = `${before}${gap}${reply}`
  return { text: `${start}${after === '' || /^\s/.test(after) ? '' : '\n'}${after}`, cursor: start.length }
}

/** `place`: which form was refused, a reply's id or the form's intent; `typed` is what goes back into it. */
export type RepliesAnswer = Answer & { place?: string; typed?: Record<string, string> }

export type Refusal = { field?: string | undefined; error?: string | undefined; typed?: Record<string, string> | undefined }
export const refusalAt = (answer: RepliesAnswer | undefined, place: string): Refusal =>
  answer && !answer.ok && answer.place === place ? answer : {}
