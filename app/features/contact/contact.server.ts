/** Keeping a message of the contact page and telling the owner of it by mail. */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { PLACEHOLDER_PHOTO } from '#app/features/orders/order.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { defaultSettings } from '#app/features/settings/shop-settings.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { Db, Tx } from '#db/tables.ts'
import type { ContactForm } from './contact.ts'

/** Where the owner reads: the address in the settings, or as long as that is a placeholder the one she signs in with. */
async function ownersAddress(db: Db): Promise<string> {
  const { email } = await readSettings(db)
  if (email !== defaultSettings.email) return email
  return (await db.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()).email
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

/** MAIL-02 to MAIL-05: the letter carries name, message, e-mail and phone; the answer goes to the sender. */
const letterOf = (to: string, { name, email, phone, message }: ContactForm) => ({
  kind: 'contact',
  to,
  replyTo: email,
  subject: `Message from ${name}`,
  text: `Name: ${name}\nEmail: ${email}\nPhone: ${phone}\n\nMessage:\n${message}\n`,
})

export type Contacted = 'sent' | 'not-sent' | 'not-stored'

/** CONTACT-23 to CONTACT-26, S-034: written first; what could not be written is not mailed, what could not be mailed stays written. */
export async function sendContact(shop: Shop, contact: ContactForm): Promise<Contacted> {
  try {
    const to = await ownersAddress(shop.db)
    const stored = await shop.db.transaction().execute(async (tx) => {
      const orderId = await storeContact(tx, contact, shop.now())
      return { orderId, letterId: await shop.mail.post(tx, letterOf(to, contact), shop.now()) }
    })
    shop.live.changed('orders', `order:${stored.orderId}`)
    return (await shop.mail.deliver(stored.letterId)) ? 'sent' : 'not-sent'
  } catch (error) {
    shop.log.error('a contact message could not be stored', error)
    return 'not-stored'
  }
}
