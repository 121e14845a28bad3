/** Letters about unread messages: when one is due, and what it says. */
import { nameOf } from '#app/features/orders/order.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** S-180: what the owner may choose from; 0: no letters. */
export const REMINDER_MINUTES = [0, 5, 15, 30, 60, 240]
/** S-181: as long as nobody reads, no second letter comes sooner. */
export const QUIET = 24 * HOUR
/** What has been unread for longer is told no more: a shop that was away, or letters that were switched off, must not begin with old news. */
export const TOLD_FOR = 72 * HOUR

/** Unread messages of one conversation, as its reader would be told of them. */
export type Unread = {
  orderId: string
  reader: string
  name: string
  email: string
  /** how far the reader has read, or written herself */
  seen: number
  lastSeq: number
  count: number
  /** of the first of them */
  since: number
  lastMessage: string
}

/** What has been told already, and when. */
export type Told = { seq: number; at: number }

/** S-181: one letter for a burst, which ends when its messages are read, or after a quiet day. */
export const isTold = (told: Told | null, seen: number, now: number): boolean => told !== null && told.seq > seen && told.at > now - QUIET

export const isDue = (since: number, minutes: number, now: number): boolean => since <= now - minutes * MINUTE

export const minutesText = (minutes: number): string =>
  minutes === 0 ? 'Never' : minutes < 60 ? `After ${minutes} minutes` : minutes === 60 ? 'After an hour' : `After ${minutes / 60} hours`

const waitText = (minutes: number) => minutesText(minutes).replace('After ', '')
const messages = (count: number) => (count === 1 ? 'a message' : `${count} messages`)
const MOST_QUOTED = 200
const quoted = (text: string) => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' ? '(no text)' : line.length > MOST_QUOTED ? `${line.slice(0, MOST_QUOTED).toWellFormed()}…` : line
}

type Setting = { shopName: string; ownerName: string; origin: string | null; minutes: number }
export type Words = { subject: string; text: string }

/** S-182: the way back asks who is not signed in to do so, and leads on from there. */
const wayBack = (origin: string, orderId = ''): string => `${origin}/login/?messages=${encodeURIComponent(orderId)}`

/** To the customer. Her address was never confirmed, so what was written stays in the shop. */
export function letterToCustomer({ name, email, count }: Unread, { shopName, ownerName, origin, minutes }: Setting): Words {
  const subject = count === 1 ? `A message for you at ${shopName}` : `${count} messages for you at ${shopName}`
  const where = origin ? `Read and answer here:\n${wayBack(origin)}` : `To read and answer, open ${shopName}, sign in and press the bell.`
  return {
    subject,
    text: `Hello ${nameOf({ name, email })},

${ownerName} of ${shopName} has sent you ${messages(count)} that you have not read yet.

${where}

This letter came because something was unread for ${waitText(minutes)}. Until you have read it there is at most one a day.
`,
  }
}

/** To the owner: everything that waits for her, in one letter. */
export function letterToOwner(unread: readonly Unread[], { shopName, origin, minutes }: Setting): Words {
  const [first] = unread
  const subject =
    unread.length === 1 ? `${nameOf(first!)} wrote to you at ${shopName}` : `${unread.length} customers wrote to you at ${shopName}`
  const told = unread.map(({ orderId, name, email, count, lastMessage }) => {
    const head = `${nameOf({ name, email })}${email ? ` (${email})` : ''}, ${count === 1 ? '1 unread message' : `${count} unread messages`}`
    return [head, `> ${quoted(lastMessage)}`, ...(origin ? [wayBack(origin, orderId)] : [])].join('\n')
  })
  return {
    subject,
    text: `${told.join('\n\n')}

This letter came because something was unread for ${waitText(minutes)}. You can change that, or switch it off, under "Replies and alerts".
`,
  }
}
