/** What the contact form answers: its checks in order, the guard against programs, then the message itself. */
import type { Page, Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { LEAST_AGE } from '#app/platform/form-time.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { tooMuchAtOnce } from '#app/platform/wait-text.ts'
import type { Answer } from '#app/ui/answer.ts'
import { checkContact } from './contact-input.ts'
import { sendContact } from './contact.server.ts'
import { contactNotes, contactTexts, type ContactForm } from './contact.ts'

/** `typed` and `stamp` go back into the form: nothing typed is lost (S-035), and the next press counts. */
export type ContactAnswer = Answer & { typed?: ContactForm; stamp?: string; note?: string }
type Answered = { answer: ContactAnswer; status: number }

/** CONTACT-12, CONTACT-13, CONTACT-24 to CONTACT-26; the status says what became of it, the toast says so in words. */
export async function receiveContact(shop: Shop, page: Page, form: FormData): Promise<Answered> {
  const typed = { name: textOf(form, 'name'), email: textOf(form, 'email'), phone: textOf(form, 'phone'), message: textOf(form, 'message') }
  const stamp = textOf(form, 'stamp').slice(0, 300)
  const refuse = (text: string, status: number, more: Partial<ContactAnswer> = {}): Answered => ({
    answer: { ok: false, toasts: [text], typed, stamp, ...more },
    status,
  })

  const checked = checkContact(typed)
  if (!checked.ok) return refuse(checked.error, 422, { field: checked.field, error: checked.error })
  const doubt = await doubtOf(shop, form, stamp)
  if (doubt) return refuse(doubt.text, 422, { stamp: doubt.stamp })
  const seconds = await shop.limits.secondsToWait('contact', { address: page.clientAddress, account: typed.email })
  if (seconds > 0) return refuse(tooMany(page, seconds, tooMuchAtOnce).error, 429)

  const done = await sendContact(shop, checked.contact)
  if (done === 'not-stored') return refuse(contactTexts.notStored, 500)
  // Taken, though the letter is still on its way: 202.
  if (done === 'not-sent') return refuse(contactTexts.notSent, 202, { note: contactNotes.notSent })
  return { answer: { ok: true, toasts: [contactTexts.sent], note: contactNotes.sent, stamp }, status: 200 }
}

/**
 * Signs of a program: the trap is filled in, or the form was sent at once, long after, or never handed out. People fall into this too
 * (a browser that fills in the trap, a page of yesterday): they are told to press again, and the stamp that they get then counts.
 */
async function doubtOf(shop: Shop, form: FormData, stamp: string): Promise<{ text: string; stamp: string } | null> {
  const now = shop.now()
  const age = await shop.formTime.judge(stamp, now)
  if (age === 'too-fast') return { text: contactTexts.tooFast, stamp }
  if (age === 'too-old') return { text: contactTexts.tooOld, stamp: await shop.formTime.stamp(now - LEAST_AGE) }
  if (age === 'forged') return { text: contactTexts.unsure, stamp: await shop.formTime.stamp(now) }
  return textOf(form, 'website') === '' ? null : { text: contactTexts.unsure, stamp }
}
