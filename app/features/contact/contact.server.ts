import { z } from 'zod'
import { createHash } from 'node:crypto'
import type { Page, Shop } from '#app/platform/context.ts'
import { checkForm, textOf } from '#app/platform/form.server.ts'
import { LEAST_AGE } from '#app/platform/form-time.server.ts'
import { tooMany, tooMuchAtOnce } from '#app/platform/rate-limits.server.ts'
import type { ActionResult, Answer } from '#app/ui/answer.ts'
import { PLACEHOLDER_PHOTO } from '#app/ui/profile-photo.ts'
import { ownersAddress } from '#app/features/settings/settings.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { Letter } from '#app/platform/mail.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/schema.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { type ContactForm, MAX_MESSAGE, MAX_NAME, contactNotes, contactTexts } from './contact.ts'

const noName = 'Please provide a name'
const noEmail = 'Please provide a valid Email'
const noPhone = 'Please provide a valid Phone Number'

/**
 * What stands before the @: words with dots between, or in quotes anything printable but angle brackets. After it: a domain in any script, its last part
 * no number. Neither holds what could end an address and begin another: blanks, commas, brackets, line ends.
 */
const LOCAL = /^(?:[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*|"(?:[ !#-;=?-[\]-~]|\\["\\])+")$/u
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$/iu

/** CONTACT-15 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return at > 0 && at <= 64 && text.length <= 254 && LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1))
}

/** Line ends would be headers of the letter: they become blanks. Marks that turn the reading direction would garble the owner's list. */
const oneLine = (text: string) =>
  text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** A browser sends each line end as two characters; what was typed is one. */
const asTyped = (text: string) => text.replaceAll('\r\n', '\n')

/** An emoji counts once; one that is far too long is not counted. */
const isShort = (text: string) => text.length <= MAX_MESSAGE || (text.length <= 2 * MAX_MESSAGE && [...text].length <= MAX_MESSAGE)

/** CONTACT-14 to CONTACT-20; S-036: blanks alone are nothing; S-037: of the phone only the length counts, as typed. */
export const Contact = z.object({
  name: z
    .string()
    .transform(oneLine)
    .pipe(z.string().min(1, noName).max(MAX_NAME, `${noName} of at most ${MAX_NAME} characters`)),
  email: z.string().trim().refine(isEmail, noEmail),
  phone: z.string().min(10, noPhone).max(11, noPhone),
  message: z
    .string()
    .transform(asTyped)
    .refine((message) => message.trim() !== '', { error: 'Please provide a short Message', abort: true })
    .refine(isShort, contactTexts.tooLong),
})

/** `typed` and `stamp` go back into the form: nothing typed is lost (S-035), and the next press counts. */
export type ContactAnswer = Answer & { typed?: ContactForm; stamp?: string; note?: string }

/** CONTACT-12, CONTACT-13, CONTACT-24 to CONTACT-26; the status says what became of it, the toast says so in words. */
export async function handleContactAction(shop: Shop, page: Page, form: FormData): Promise<ActionResult<ContactAnswer>> {
  const typed = { name: textOf(form, 'name'), email: textOf(form, 'email'), phone: textOf(form, 'phone'), message: textOf(form, 'message') }
  const stamp = textOf(form, 'stamp').slice(0, 300)
  const refuse = (text: string, status: number, more: Partial<ContactAnswer> = {}): ActionResult<ContactAnswer> => ({
    answer: { ok: false, toasts: [text], typed, stamp, ...more },
    status,
  })

  // CONTACT-12: only the first failure is told.
  const checked = checkForm(Contact, typed)
  if (!checked.ok) return refuse(checked.error, 422, { field: checked.field, error: checked.error })
  const doubt = await doubtOf(shop, form, stamp)
  if (doubt) return refuse(doubt.text, 422, { stamp: doubt.stamp })
  const seconds = await shop.limits.secondsToWait('contact', { address: page.clientAddress, account: typed.email })
  if (seconds > 0) return refuse(tooMany(page, seconds, tooMuchAtOnce).error, 429)

  const done = await sendContact(shop, checked.data)
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

/** CONTACT-21, CONTACT-22, S-032, S-033: a conversation under a new id, whose sender is that id. */
async function storeContact(tx: Tx, { name, email, message }: ContactForm, now: number): Promise<string> {
  const id = newId15()
  await tx
    .insertInto('orders')
    .values({
      id,
      userId: null,
      userName: name,
      userEmail: email,
      userPhotoURL: PLACEHOLDER_PHOTO,
      receiptTag: null,
      isClosed: 0,
      fromContactPage: 1,
      lastSeq: 1,
      createdAt: now,
      firstCreatedAt: now,
    })
    .execute()
  await tx.insertInto('messages').values({ orderId: id, seq: 1, id: newId15(), message, sender: id, createdAt: now }).execute()
  await tx.insertInto('readMarks').values({ orderId: id, reader: id, seq: 1 }).execute()
  return id
}

const SAME_WITHIN = 10 * 60_000
/** The same words by the same person in the same ten minutes are one message, sent twice: by a double click, or again after a pause. */
const letterIdOf = (contact: ContactForm, now: number) =>
  createHash('sha256')
    .update(JSON.stringify([contact.name, contact.email, contact.phone, contact.message, Math.floor(now / SAME_WITHIN)]))
    .digest('base64url')
    .slice(0, 24)

/** MAIL-02 to MAIL-05: the letter carries name, message, e-mail and phone; the answer goes to the sender. */
const letterOf = (id: string, to: string, { name, email, phone, message }: ContactForm): Letter => ({
  id,
  kind: 'contact',
  to,
  replyTo: email,
  subject: `Message from ${name}`,
  text: `Name: ${name}\nEmail: ${email}\nPhone: ${phone}\n\nMessage:\n${message}\n`,
})

/** Conversation and letter, or neither; gives the letter's id, of the earlier one when it is the same message again. */
async function keepContact(tx: Tx, contact: ContactForm, to: string, now: number, post: Shop['mail']['post']) {
  const [id, before] = [letterIdOf(contact, now), letterIdOf(contact, now - SAME_WITHIN)]
  if (await tx.selectFrom('outbox').select('id').where('id', '=', before).executeTakeFirst()) return { letterId: before, orderId: null }
  if (!(await post(tx, letterOf(id, to, contact), now))) return { letterId: id, orderId: null }
  return { letterId: id, orderId: await storeContact(tx, contact, now) }
}

type Contacted = 'sent' | 'not-sent' | 'not-stored'

/** CONTACT-23 to CONTACT-26, S-034: written first; what could not be written is not mailed, what could not be mailed stays written. */
async function sendContact(shop: Shop, contact: ContactForm): Promise<Contacted> {
  try {
    const [to, now] = [await ownersAddress(shop.db), shop.now()]
    const { letterId, orderId } = await transact(shop.db, (tx) => keepContact(tx, contact, to, now, shop.mail.post))
    if (orderId) shop.live.changed('orders', `order:${orderId}`)
    return (await shop.mail.deliverSoon(letterId)) ? 'sent' : 'not-sent'
  } catch (error) {
    shop.log.error('a contact message could not be stored', error)
    return 'not-stored'
  }
}

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n')

/** CONTACT-06, S-029. `url` is the shop's own address. */
export function vcardOf(shop: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'>, url: string): string {
  const lines: [string, string][] = [
    ['VERSION', '3.0'],
    ['FN', escaped(`${shop.ownerName}, ${shop.name}`)],
    ['N', `;${escaped(shop.ownerName)};;;`],
    ['ORG', escaped(shop.name)],
    ['TEL;TYPE=WORK,VOICE', escaped(shop.phone)],
    ['EMAIL;TYPE=INTERNET,WORK', escaped(shop.email)],
    ['ADR;TYPE=WORK', `;;;${escaped(shop.city)};;;`],
    ['URL', escaped(url)],
  ]
  return ['BEGIN:VCARD', ...lines.map(([name, value]) => `${name}:${value}`), 'END:VCARD', ''].join('\r\n')
}
