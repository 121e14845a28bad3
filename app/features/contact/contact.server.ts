import { isEmailAddress } from '#lib/text/email-address.server.ts'
import { z } from 'zod'
import { createHash } from 'node:crypto'
import type { RequestInfo, AppServices } from '#services/context.ts'
import { validateForm, formText, oneLine } from '#lib/http/form-data.server.ts'
import { MIN_AGE_MS } from '#lib/http/form-timestamp.server.ts'
import { limitSending } from '#services/rate-limits.server.ts'
import type { ActionOutcome, ActionResult } from '#ui/action-result.ts'
import { PLACEHOLDER_PHOTO } from '#ui/profile-photo.ts'
import { ownerEmail } from '#settings/settings.server.ts'
import { recordOf } from '#lib/record-of.ts'
import { newId15 } from '#lib/text/ids.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import type { Tx } from '#db/schema.ts'
import { readAwayText } from '#settings/vacation.server.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import { type ContactForm, MAX_MESSAGE, MAX_NAME } from './contact.ts'
import { contactEmailTexts, contactNotes, contactTexts } from './texts.ts'

const isShort = (text: string) =>
  text.length <= MAX_MESSAGE || (text.length <= 2 * MAX_MESSAGE && [...text].length <= MAX_MESSAGE)

const MAX_TYPED_PHONE = 40
/** Only the country codes listed here have one or two digits. All others have three. */
const COUNTRY_CODE = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/** German area codes are written before a slash; their 0 is no digit of the number. */
const AREA_CODE_ZERO = /^0(?=\d{1,5} ?\/)/

/** Also counts the country code, because Swiss numbers have only nine other digits. [S-037] */
function hasPhoneLength(typed: string) {
  const number = typed
    .trim()
    .replace(AREA_CODE_ZERO, '')
    .replace(/[ \u00a0()./\u2010-\u2015-]/g, '')
  const lengths = [number.replace(/^\+/, ''), number.replace(COUNTRY_CODE, '')].map(
    ({ length }) => length,
  )
  return lengths.some((length) => length >= 10 && length <= 11)
}

export const Contact = z.object({
  // Line breaks could add headers to the email.
  name: oneLine.min(1, contactTexts.noName).max(MAX_NAME, contactTexts.longName(MAX_NAME)),
  email: z.string().trim().refine(isEmailAddress, contactTexts.noEmail),
  phone: z
    .string()
    .max(MAX_TYPED_PHONE, contactTexts.noPhone)
    .refine(hasPhoneLength, contactTexts.noPhone),
  message: z
    .string()
    .transform((typed) => typed.replaceAll('\r\n', '\n'))
    .refine((message) => message.trim() !== '', { error: contactTexts.noMessage, abort: true })
    .refine(isShort, contactTexts.tooLong),
})

export type ContactAnswer = ActionResult & { typed?: ContactForm; stamp?: string; note?: string }

export async function handleContactAction(
  app: AppServices,
  info: RequestInfo,
  form: FormData,
): Promise<ActionOutcome<ContactAnswer>> {
  const typed = recordOf(['name', 'email', 'phone', 'message'], (name) => formText(form, name))
  const stamp = formText(form, 'stamp').slice(0, 300)
  const refuse = (text: string, status: number, more: Partial<ContactAnswer> = {}) => ({
    answer: { ok: false, toasts: [text], typed, stamp, ...more },
    status,
  })

  const checked = validateForm(Contact, typed)
  if (!checked.ok) return refuse(checked.error, 422, { field: checked.field, error: checked.error })
  const doubt = await suspicionOf(app, form, stamp)
  if (doubt) return refuse(doubt.text, 422, { stamp: doubt.stamp })
  const limit = await limitSending({ app, info }, 'contact', checked.data.email)
  if (limit) return refuse(limit.error, 429)

  const result = await sendContact(app, checked.data)
  const away = await readAwayText(app)
  const withAway = (note: string) => [note, away].filter(Boolean).join(' ')
  if (result === 'notStored') return refuse(contactTexts.notStored, 500)
  if (result === 'notSent') {
    return refuse(contactTexts.notSent, 202, { note: withAway(contactNotes.notSent) })
  }
  return {
    answer: { ok: true, toasts: [contactTexts[result]], note: withAway(contactNotes.sent), stamp },
    status: 200,
  }
}

/** Returns a valid timestamp, so that a person who was taken for a bot can try again. */
async function suspicionOf(app: AppServices, form: FormData, stamp: string) {
  const now = app.now()
  const { judge, stamp: createStamp } = app.formTimestamp
  const age = await judge(stamp, now)
  if (age === 'too-fast') return { text: contactTexts.tooFast, stamp }
  if (age === 'too-old') {
    return { text: contactTexts.tooOld, stamp: await createStamp(now - MIN_AGE_MS) }
  }
  if (age === 'forged') return { text: contactTexts.unsure, stamp: await createStamp(now) }
  return formText(form, 'website') === '' ? null : { text: contactTexts.unsure, stamp }
}

async function storeContact(tx: Tx, { name, email, phone, message }: ContactForm, now: number) {
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
      isClosed: false,
      fromContactPage: true,
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
function contactEmailId({ name, email, phone, message }: ContactForm, now: number) {
  const window = Math.floor(now / DUPLICATE_WINDOW_MS)
  return createHash('sha256')
    .update(JSON.stringify([name, email, phone, message, window]))
    .digest('base64url')
    .slice(0, 24)
}

async function saveContact(
  tx: Tx,
  contact: ContactForm,
  to: string,
  now: number,
  post: AppServices['outbox']['post'],
) {
  const id = contactEmailId(contact, now)
  const before = contactEmailId(contact, now - DUPLICATE_WINDOW_MS)
  if (await tx.selectFrom('outbox').select('id').where('id', '=', before).executeTakeFirst()) {
    return { emailId: before, orderId: null }
  }
  const email = {
    id,
    kind: 'contact' as const,
    to,
    replyTo: contact.email,
    subject: contactEmailTexts.subject(contact.name),
    text: contactEmailTexts.body(contact),
  }
  const isNew = await post(tx, email, now)
  return { emailId: id, orderId: isNew ? await storeContact(tx, contact, now) : null }
}

async function sendContact(app: AppServices, contact: ContactForm) {
  try {
    const to = await ownerEmail(app.db)
    const now = app.now()
    const { emailId, orderId } = await inTransaction(app.db, (tx) =>
      saveContact(tx, contact, to, now, app.outbox.post),
    )
    if (orderId) app.live.changed('orders', `order:${orderId}`)
    const isDelivered = await app.outbox.deliverSoon(emailId)
    if (!(await app.outbox.hasServer())) return 'saved'
    return isDelivered ? 'sent' : 'notSent'
  } catch (error) {
    app.log.error('a contact message could not be stored', error)
    return 'notStored'
  }
}

const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n')

export function vcardOf(shop: ShopSettings, url: string) {
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
