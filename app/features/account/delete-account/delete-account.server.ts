/** LOGIN-24: an account goes, with everything that is hers, in one transaction; what the law wants kept stays without her (035). */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { readDetail, recordAct } from '#app/platform/audit.server.ts'
import { fold } from '#app/platform/fold.ts'
import { PROOF } from '#app/platform/letter-codes.server.ts'
import { GONE } from './delete-account.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { nameOf } from '#app/features/orders/order.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { picturesOfOrder } from '#app/features/orders/orders.server.ts'
import { closeSessions, listSessions } from '#app/features/auth/sessions.server.ts'
import { takePhotoAway } from '#app/features/account/profile.server.ts'
import { ownersAddress, readSettings } from '#app/features/settings/settings.server.ts'
import { deletePictureFiles, removePictureRows } from '#app/features/images/edit-pictures.server.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import type { FilesOfPicture } from '#app/platform/pictures.server.ts'
import { transact } from '#app/platform/transact.server.ts'

/** `goneId`: what stands in the place of the uid from now on, so that the purchases of one person still belong together. */
export type Leaving = { id: string; email: string; goneId: string }

const holds = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`replace(${sql.ref(column)}, ${text}, '') <> ${sql.ref(column)}`

/** The records keep date, piece, prices, receipt and invoice number; gives the keys of her receipts. */
export async function forgetBuyer(tx: Tx, { id, goneId }: Leaving): Promise<string[]> {
  const sales = await tx
    .updateTable('sales')
    .set({ buyerId: goneId, buyerName: GONE, buyerEmail: '', buyerPhotoURL: '' })
    .where('buyerId', '=', id)
    .returning(['id', 'receiptTag'])
    .execute()
  await tx.updateTable('requests').set({ orderId: goneId }).where('orderId', '=', id).execute()
  return [...new Set(sales.map((sale) => sale.receiptTag || sale.id))]
}

/** Her words, name and photo are hers: written ones and tickets go. Gives their ids, and whether visitors saw one. */
export async function takeTestimonies(tx: Tx, { id }: Leaving): Promise<{ ids: string[]; wasShown: boolean }> {
  const gone = await tx.deleteFrom('testimonies').where('writerId', '=', id).returning(['id', 'showOnPage']).execute()
  return { ids: gone.map((row) => row.id), wasShown: gone.some((row) => row.showOnPage === 1) }
}

/** Letters that may name her without going to her. What she wrote by the contact page is no part of the account. */
const QUOTING = ['unread', PROOF, 'notice']

/** Of letters with a code (036): one may have gone to an address that is not hers yet. To be read before the account goes, as they go with it. */
export const listProofs = async (tx: Tx, id: string): Promise<string[]> =>
  (await tx.selectFrom('addressProofs').select('id').where('userId', '=', id).execute()).map((proof) => proof.id)

/**
 * Letters to her, sent or not, and those to the owner that quote her. `proofs`: ids of letters with a code. A letter to the owner that has not left is written anew for the others
 * in it: what was told by it counts as untold.
 */
export async function takeLetters(tx: Tx, { id, email }: Leaving, proofs: readonly string[]): Promise<string[]> {
  const told = tx.selectFrom('reminders').select('letterId').where('orderId', '=', id)
  const gone = await tx
    .deleteFrom('outbox')
    .where(({ or, eb }) =>
      or([
        sql<boolean>`lower("toAddress") = ${email}`,
        eb('id', 'in', told),
        ...(proofs.length > 0 ? [eb('id', 'in', proofs)] : []),
        eb.and([eb('kind', 'in', QUOTING), or([holds('text', id), holds('text', email)])]),
      ]),
    )
    .returning(['id', 'sentAt'])
    .execute()
  const unsent = gone.filter((letter) => letter.sentAt === null).map((letter) => letter.id)
  if (unsent.length > 0) await tx.deleteFrom('reminders').where('letterId', 'in', unsent).execute()
  return gone.map((letter) => letter.id)
}

/** Codes and links on their way to her, and what a move had to say about her. */
export async function takeTraces(tx: Tx, { id, email }: Leaving): Promise<void> {
  await sql`delete from "verification" where ${holds('value', id)} or ${holds('identifier', id)} or lower("identifier") = ${email}`.execute(
    tx,
  )
  const moves = await tx
    .selectFrom('imports')
    .select(['id', 'report'])
    .where(({ or }) => or([holds('report', id), holds('report', email)]))
    .execute()
  for (const move of moves) {
    const lines = move.report.split('\n').filter((line) => !line.includes(id) && !line.toLowerCase().includes(email))
    await tx
      .updateTable('imports')
      .set({ report: lines.join('\n') })
      .where('id', '=', move.id)
      .execute()
  }
}

/** Acts whose name is the person's; the others name a thing, and the person only beside it. */
const namesPerson = new Set([
  'close-order',
  'delete-conversation',
  'remove-order-item',
  'create-ticket',
  'number-invoice',
  'change-shipping',
  'validate-testimony',
  'show-testimony',
  'hide-testimony',
])
/** Details that hold the person. */
const personal = new Set(['buyer', 'to'])

/** The owner's acts stay in her history. `subjects`: ids under which they stand there, besides the uid. */
export async function forgetInHistory(tx: Tx, { id, goneId }: Leaving, subjects: readonly string[]): Promise<void> {
  const all = [id, ...subjects]
  for (let from = 0; from < all.length; from += 500) {
    const rows = await tx
      .selectFrom('audit')
      .select(['seq', 'act', 'subject', 'name', 'detail'])
      .where('subject', 'in', all.slice(from, from + 500))
      .execute()
    for (const { seq, act, subject, name, detail } of rows) {
      const isHers = namesPerson.has(act)
      const cleaned = withoutPerson(detail)
      const said = isHers ? GONE : name
      const words = fold([said, isHers ? cleaned.item : GONE].filter((word) => typeof word === 'string').join(' '))
      const row = { subject: subject === id ? goneId : subject, name: said, words, detail: JSON.stringify(cleaned) }
      await tx.updateTable('audit').set(row).where('seq', '=', seq).execute()
    }
  }
}

function withoutPerson(text: string): Record<string, unknown> {
  const detail = readDetail(text)
  return Object.fromEntries(Object.entries(detail).map(([key, value]) => [key, personal.has(key) ? GONE : value]))
}

export type OpenOrder = { receiptTag: string | null; items: { name: string; priceCents: number; isSold: 0 | 1 }[] }

/** null: there is none, it is closed, or holds nothing. */
export async function findOpenOrder(tx: Tx, id: string): Promise<OpenOrder | null> {
  const order = await tx.selectFrom('orders').select('receiptTag').where('id', '=', id).where('isClosed', '=', 0).executeTakeFirst()
  if (!order) return null
  const items = await tx
    .selectFrom('orderItems')
    .select(['name', 'priceCents', 'isSold'])
    .where('orderId', '=', id)
    .orderBy('position')
    .orderBy('itemId')
    .execute()
  return items.length > 0 ? { receiptTag: order.receiptTag, items } : null
}

const list = (title: string, items: OpenOrder['items']) =>
  items.length > 0 ? [[title, ...items.map((item) => `- ${item.name}, ${formatMoney(item.priceCents)}`)].join('\n')] : []

/** S-223: so that what was bought can still be handed over; like every sent letter it leaves the shop after 30 days. */
export function letterAboutOrder({ receiptTag, items }: OpenOrder, who: { name: string; email: string }, shopName: string) {
  const name = nameOf(who)
  const text = [
    `${name} (${who.email}) has deleted their account at ${shopName} while an order was open${receiptTag ? `, receipt ${receiptTag}` : ''}.`,
    ...list(
      'Asked for, and no longer wanted:',
      items.filter((item) => item.isSold === 0),
    ),
    ...list(
      'Sold already; if something of this has not been handed over yet, please write to them:',
      items.filter((item) => item.isSold === 1),
    ),
    'The conversation is deleted. This letter is all that still says who they were: please delete it when everything is settled.',
  ]
  return { subject: `${name} has left, with an open order`, text: `${text.join('\n\n')}\n`, replyTo: who.email }
}

export type Deleted = { ok: true } | { ok: false; refusal: 'owner' | 'not-found' | 'failed' }
type Gone = { ok: true; sessions: string[]; pictures: FilesOfPicture[]; wasShown: boolean }

/** LOGIN-38, LOGIN-54. `by`: herself, or the owner at her request (S-225). Guests leave by logging out (S-004). */
export async function deleteAccount(shop: Shop, id: string, by: 'herself' | 'owner'): Promise<Deleted> {
  if (id === ADMIN_ID) return { ok: false, refusal: 'owner' }
  const done = await attempt(shop.log, 'an account could not be deleted', async () => {
    const [to, { name: shopName }] = [await ownersAddress(shop.db), await readSettings(shop.db)]
    return transact(shop.db, async (tx): Promise<Gone | { ok: false; refusal: 'not-found' }> => {
      const sessions = await listSessions(tx, id)
      const proofs = await listProofs(tx, id)
      const person = await takeUser(tx, id)
      if (!person) return { ok: false, refusal: 'not-found' }
      const open = by === 'herself' ? await findOpenOrder(tx, id) : null
      const taken = await takeBelongings(tx, { id, email: person.email, goneId: `gone-${newId15()}` }, person.image, proofs)
      const now = shop.now()
      const act = { at: now, actor: by === 'owner' ? ADMIN_ID : GONE, act: 'delete-account', subject: '', name: 'a customer' } as const
      await recordAct(tx, { ...act, detail: { by, wasOrderOpen: open !== null } })
      if (open) await shop.mail.post(tx, { id: `left-${newId15()}`, kind: 'left', to, ...letterAboutOrder(open, person, shopName) }, now)
      return { ok: true, sessions, ...taken }
    })
  })
  if (!done.ok) return done
  shop.mail.wake()
  closeSessions(shop, done.sessions)
  shop.authSync.accountGone(id)
  shop.live.changed(
    'orders',
    'sales',
    'tickets',
    'mail',
    `order:${id}`,
    `user:${id}`,
    ...(done.wasShown ? (['testimonials'] as const) : []),
  )
  await deletePictureFiles(shop, done.pictures)
  return { ok: true }
}

/**
 * First of all, so that nothing of hers can be written any more: her sessions, ways in and favourites go with it, and who is about to write
 * in her conversation finds that there is no such person.
 */
const takeUser = (tx: Tx, id: string) =>
  tx
    .deleteFrom('user')
    .where('id', '=', id)
    .where('id', '<>', ADMIN_ID)
    .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    .returning(['name', 'email', 'image'])
    .executeTakeFirst()

async function takeBelongings(
  tx: Tx,
  leaving: Leaving,
  image: string | null,
  proofs: string[],
): Promise<Pick<Gone, 'pictures' | 'wasShown'>> {
  const { id } = leaving
  const uploads = await tx.deleteFrom('chatUploads').where('sender', '=', id).returning('pictureId').execute()
  const letters = await takeLetters(tx, leaving, proofs)
  const sent = await picturesOfOrder(tx, id)
  await tx.deleteFrom('orders').where('id', '=', id).execute()
  const receipts = await forgetBuyer(tx, leaving)
  const { ids: testimonies, wasShown } = await takeTestimonies(tx, leaving)
  await forgetInHistory(tx, leaving, [...receipts, ...testimonies, ...letters])
  await takeTraces(tx, leaving)
  const pictures = await removePictureRows(tx, [...sent, ...uploads.map((row) => row.pictureId)])
  return { pictures: [...pictures, ...(await takePhotoAway(tx, id, image))], wasShown }
}
