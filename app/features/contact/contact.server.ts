/** Keeping a message of the contact page and telling the owner of it by mail. */
import { createHash } from 'node:crypto'
import { PLACEHOLDER_PHOTO } from '#app/features/orders/order.ts'
import { ownersAddress } from '#app/features/settings/owners-address.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { Letter } from '#app/platform/mail.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import type { ContactForm } from './contact.ts'

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

export type Contacted = 'sent' | 'not-sent' | 'not-stored'

/** CONTACT-23 to CONTACT-26, S-034: written first; what could not be written is not mailed, what could not be mailed stays written. */
export async function sendContact(shop: Shop, contact: ContactForm): Promise<Contacted> {
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
