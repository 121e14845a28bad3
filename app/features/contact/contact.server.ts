import { z } from 'zod'
import { createHash } from 'node:crypto'
import type { RequestInfo, AppServices } from '#app/services/context.ts'
import { validateForm, formText } from '#app/lib/http/form-data.server.ts'
import { MIN_AGE_MS } from '#app/lib/http/form-timestamp.server.ts'
import { tooManyRequests, tooMuchAtOnce } from '#app/services/rate-limits.server.ts'
import type { ActionOutcome, ActionResult } from '#app/ui/action-result.ts'
import { PLACEHOLDER_PHOTO } from '#app/ui/profile-photo.ts'
import { ownerEmail } from '#app/features/settings/settings.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import type { Email } from '#app/lib/email/outbox.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { Tx } from '#db/schema.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { type ContactForm, MAX_MESSAGE, MAX_NAME } from './contact.ts'
import { contactEmailTexts, contactNotes, contactTexts } from './texts.ts'

/**
 * The part of an email address before "@" is quoted or consists of words with dots between them. The domain may be in any script, but its
 * last part is not a number. An unquoted address contains no characters that separate addresses, such as spaces, commas and line breaks.
 */
const LOCAL_PART =
  /^(?:[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*|"(?:[ !#-;=?-[\]-~]|\\["\\])+")$/u
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$/iu

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return (
    at > 0 &&
    at <= 64 &&
    text.length <= 254 &&
    LOCAL_PART.test(text.slice(0, at)) &&
    DOMAIN.test(text.slice(at + 1))
  )
}

/** Removes line breaks and bidirectional marks. A line break could add headers to the email message. A bidirectional mark would garble the owner's list of messages. */
const oneLine = (text: string) =>
  text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Returns the text with `\n` as its line breaks, because browsers send a line break as `\r\n`. */
const withNewlines = (text: string) => text.replaceAll('\r\n', '\n')

/** Returns true if the message has at most `MAX_MESSAGE` characters. An emoji counts as one character. */
const isShort = (text: string) =>
  text.length <= MAX_MESSAGE || (text.length <= 2 * MAX_MESSAGE && [...text].length <= MAX_MESSAGE)

/** A typed phone number may have at most this many characters, including spaces and dashes. */
const MAX_TYPED_PHONE = 40
function hasPhoneLength(typed: string): boolean {
  const { length } = typed.replace(/[ \u00a0().\u2010-\u2015-]/g, '').replace(/^\+/, '')
  return length >= 10 && length <= 11
}

/** Validates the contact form. A field with only spaces counts as empty. A phone number has 10 or 11 characters, not counting separators and a leading plus sign. [CONTACT-14 to CONTACT-20, S-036, S-037] */
export const Contact = z.object({
  name: z
    .string()
    .transform(oneLine)
    .pipe(z.string().min(1, contactTexts.noName).max(MAX_NAME, contactTexts.longName(MAX_NAME))),
  email: z.string().trim().refine(isEmail, contactTexts.noEmail),
  phone: z
    .string()
    .max(MAX_TYPED_PHONE, contactTexts.noPhone)
    .refine(hasPhoneLength, contactTexts.noPhone),
  message: z
    .string()
    .transform(withNewlines)
    .refine((message) => message.trim() !== '', { error: contactTexts.noMessage, abort: true })
    .refine(isShort, contactTexts.tooLong),
})

/** The response contains the typed values, which the form shows again, and the timestamp (`stamp`), which the form sends again. [S-035] */
export type ContactAnswer = ActionResult & { typed?: ContactForm; stamp?: string; note?: string }

export async function handleContactAction(
  app: AppServices,
  info: RequestInfo,
  form: FormData,
): Promise<ActionOutcome<ContactAnswer>> {
  const typed = {
    name: formText(form, 'name'),
    email: formText(form, 'email'),
    phone: formText(form, 'phone'),
    message: formText(form, 'message'),
  }
  const stamp = formText(form, 'stamp').slice(0, 300)
  const refuse = (
    text: string,
    status: number,
    more: Partial<ContactAnswer> = {},
  ): ActionOutcome<ContactAnswer> => ({
    answer: { ok: false, toasts: [text], typed, stamp, ...more },
    status,
  })

  // The form shows only the error of the first invalid field. [CONTACT-12]
  const checked = validateForm(Contact, typed)
  if (!checked.ok) return refuse(checked.error, 422, { field: checked.field, error: checked.error })
  const doubt = await suspicionOf(app, form, stamp)
  if (doubt) return refuse(doubt.text, 422, { stamp: doubt.stamp })
  const seconds = await app.rateLimits.secondsToWait('contact', {
    address: info.clientAddress,
    account: checked.data.email,
  })
  if (seconds > 0) return refuse(tooManyRequests(info, seconds, tooMuchAtOnce).error, 429)

  const done = await sendContact(app, checked.data)
  if (done === 'not-stored') return refuse(contactTexts.notStored, 500)
  // A shop without a mail server has only stored the contact message and sent no email message.
  if (done === 'saved')
    return {
      answer: { ok: true, toasts: [contactTexts.saved], note: contactNotes.sent, stamp },
      status: 200,
    }
  if (done === 'not-sent') return refuse(contactTexts.notSent, 202, { note: contactNotes.notSent })
  return {
    answer: { ok: true, toasts: [contactTexts.sent], note: contactNotes.sent, stamp },
    status: 200,
  }
}

/**
 * Returns an error if the honeypot field is filled in, or if the form's timestamp is forged, too new or too old. This may also happen to
 * a person, so the form then gets a valid timestamp, and the person can send the form again.
 */
async function suspicionOf(
  app: AppServices,
  form: FormData,
  stamp: string,
): Promise<{ text: string; stamp: string } | null> {
  const now = app.now()
  const age = await app.formTimestamp.judge(stamp, now)
  if (age === 'too-fast') return { text: contactTexts.tooFast, stamp }
  if (age === 'too-old')
    return { text: contactTexts.tooOld, stamp: await app.formTimestamp.stamp(now - MIN_AGE_MS) }
  if (age === 'forged')
    return { text: contactTexts.unsure, stamp: await app.formTimestamp.stamp(now) }
  return formText(form, 'website') === '' ? null : { text: contactTexts.unsure, stamp }
}

/** Stores the message in a new conversation. The id of the conversation is also the id of the sender. [CONTACT-21, CONTACT-22, S-032, S-033] */
async function storeContact(
  tx: Tx,
  { name, email, phone, message }: ContactForm,
  now: number,
): Promise<string> {
  const id = newId15()
  await tx
    .insertInto('orders')
    .values({
      id,
      userId: null,
      userName: name,
      userEmail: email,
      userPhotoURL: PLACEHOLDER_PHOTO,
      userPhone: phone,
      receiptTag: null,
      isClosed: 0,
      fromContactPage: 1,
      lastSeq: 1,
      lastMessageAt: now,
      createdAt: now,
      firstCreatedAt: now,
    })
    .execute()
  await tx
    .insertInto('messages')
    .values({ orderId: id, seq: 1, id: newId15(), message, sender: id, createdAt: now })
    .execute()
  await tx.insertInto('readReceipts').values({ orderId: id, reader: id, seq: 1 }).execute()
  return id
}

const DUPLICATE_WINDOW_MS = 10 * 60_000
/** Returns the same id for equal messages that are sent in the same ten minutes, so that the shop detects duplicates. */
const contactEmailId = (contact: ContactForm, now: number) =>
  createHash('sha256')
    .update(
      JSON.stringify([
        contact.name,
        contact.email,
        contact.phone,
        contact.message,
        Math.floor(now / DUPLICATE_WINDOW_MS),
      ]),
    )
    .digest('base64url')
    .slice(0, 24)

/** Builds the email to the owner. A reply to this email goes to the sender of the message. [MAIL-02 to MAIL-05] */
const contactEmail = (id: string, to: string, contact: ContactForm): Email => ({
  id,
  kind: 'contact',
  to,
  replyTo: contact.email,
  subject: contactEmailTexts.subject(contact.name),
  text: contactEmailTexts.body(contact),
})

/** Stores the conversation and the email in one transaction. For a duplicate message, stores nothing and returns the id of the earlier email. */
async function saveContact(
  tx: Tx,
  contact: ContactForm,
  to: string,
  now: number,
  post: AppServices['outbox']['post'],
) {
  const [id, before] = [
    contactEmailId(contact, now),
    contactEmailId(contact, now - DUPLICATE_WINDOW_MS),
  ]
  if (await tx.selectFrom('outbox').select('id').where('id', '=', before).executeTakeFirst())
    return { emailId: before, orderId: null }
  if (!(await post(tx, contactEmail(id, to, contact), now))) return { emailId: id, orderId: null }
  return { emailId: id, orderId: await storeContact(tx, contact, now) }
}

/** 'saved' means that the shop has no mail server and sent no email message. The owner finds the contact message in her conversations. [OWN-112] */
type ContactOutcome = 'sent' | 'saved' | 'not-sent' | 'not-stored'

/** Stores the message before it sends the email, so that the message stays if the email fails. [CONTACT-23 to CONTACT-26, S-034] */
async function sendContact(app: AppServices, contact: ContactForm): Promise<ContactOutcome> {
  try {
    const [to, now] = [await ownerEmail(app.db), app.now()]
    const { emailId, orderId } = await inTransaction(app.db, (tx) =>
      saveContact(tx, contact, to, now, app.outbox.post),
    )
    if (orderId) app.live.changed('orders', `order:${orderId}`)
    const isDelivered = await app.outbox.deliverSoon(emailId)
    if (!(await app.outbox.hasServer())) return 'saved'
    return isDelivered ? 'sent' : 'not-sent'
  } catch (error) {
    app.log.error('a contact message could not be stored', error)
    return 'not-stored'
  }
}

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n')

export function vcardOf(
  shop: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'>,
  url: string,
): string {
  const lines: [string, string][] = [
    ['VERSION', '3.0'],
    ['FN', escaped([shop.ownerName, shop.name].filter(Boolean).join(', '))],
    ['N', `;${escaped(shop.ownerName)};;;`],
    ['ORG', escaped(shop.name)],
  ]
  if (shop.phone) lines.push(['TEL;TYPE=WORK,VOICE', escaped(shop.phone)])
  if (shop.email) lines.push(['EMAIL;TYPE=INTERNET,WORK', escaped(shop.email)])
  if (shop.city) lines.push(['ADR;TYPE=WORK', `;;;${escaped(shop.city)};;;`])
  lines.push(['URL', escaped(url)])
  return ['BEGIN:VCARD', ...lines.map(([name, value]) => `${name}:${value}`), 'END:VCARD', ''].join(
    '\r\n',
  )
}
