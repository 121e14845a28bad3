/** LOGIN-24: an account goes, with everything that is hers, in one transaction; what the law wants kept stays without her (035). */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { readDetail, recordAct } from '#app/platform/audit.server.ts'
import { fold } from '#app/platform/fold.ts'
import { PROOF } from '#app/platform/letter-codes.server.ts'
import { DELETE_FAILED, GONE, NO_ACCOUNT, requestTexts, type DataRequest } from './delete-account.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { nameOf } from '#app/features/orders/order.ts'
import { ADMIN_ID, isAdminId } from '#app/platform/admin-id.ts'
import type { Asker } from '#app/features/auth/auth-client.server.ts'
import { readBelongings } from '#app/features/auth/belongings.server.ts'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import { isReadable, textOf } from '#app/platform/form.server.ts'
import { libraryTime } from '#app/platform/users.server.ts'
import { downloadArchive } from '../data-export/archive.server.tsx'
import { picturesOfOrder } from '#app/features/orders/orders.server.ts'
import { closeSessions, listSessions } from '#app/features/auth/sessions.server.ts'
import { takePhotoAway } from '#app/features/account/profile.server.ts'
import { ownersAddress, readSettings } from '#app/features/settings/settings.server.ts'
import { deletePictureFiles, removePictureRows } from '#app/features/images/edit-pictures.server.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'

/** `goneId`: what stands in the place of the uid from now on, so that the purchases of one person still belong together. */
type Leaving = { id: string; email: string; goneId: string }

const holds = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`replace(${sql.ref(column)}, ${text}, '') <> ${sql.ref(column)}`

/** Letters that may name her without going to her. What she wrote by the contact page is no part of the account. */
const QUOTING = ['unread', PROOF, 'notice']

/** Letters to her and those that quote her, sent or not. What an unsent letter told the owner of others counts as untold (S-222). */
async function takeLetters(tx: Tx, { id, email }: Leaving, proofs: readonly string[]): Promise<string[]> {
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
async function takeTraces(tx: Tx, { id, email }: Leaving): Promise<void> {
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
async function forgetInHistory(tx: Tx, { id, goneId }: Leaving, subjects: readonly string[]): Promise<void> {
  const all = [id, ...subjects]
  for (let from = 0; from < all.length; from += 500) {
    const rows = await tx
      .selectFrom('audit')
      .select(['seq', 'act', 'subject', 'name', 'detail'])
      .where('subject', 'in', all.slice(from, from + 500))
      .execute()
    for (const { seq, act, subject, name, detail } of rows) {
      const isHers = namesPerson.has(act)
      const cleaned = Object.fromEntries(Object.entries(readDetail(detail)).map(([key, value]) => [key, personal.has(key) ? GONE : value]))
      const said = isHers ? GONE : name
      const words = fold([said, isHers ? cleaned.item : GONE].filter((word) => typeof word === 'string').join(' '))
      const row = { subject: subject === id ? goneId : subject, name: said, words, detail: JSON.stringify(cleaned) }
      await tx.updateTable('audit').set(row).where('seq', '=', seq).execute()
    }
  }
}

/** null: there is none, it is closed, or holds nothing. */
async function findOpenOrder(tx: Tx, id: string) {
  const lines = await tx
    .selectFrom('orders as o')
    .innerJoin('orderItems as i', 'i.orderId', 'o.id')
    .select(['o.receiptTag', 'i.name', 'i.priceCents', 'i.isSold'])
    .where('o.id', '=', id)
    .where('o.isClosed', '=', 0)
    .orderBy('i.position')
    .orderBy('i.itemId')
    .execute()
  return lines.length > 0 ? lines : null
}
type OpenOrder = NonNullable<Awaited<ReturnType<typeof findOpenOrder>>>

/** S-223: so that what was bought can still be handed over; like every sent letter it leaves the shop after 30 days. */
function letterAboutOrder(lines: OpenOrder, who: { name: string; email: string }, shopName: string) {
  const name = nameOf(who)
  const receiptTag = lines[0]!.receiptTag
  const list = (title: string, isSold: 0 | 1) => {
    const listed = lines.filter((line) => line.isSold === isSold)
    return listed.length > 0 ? [[title, ...listed.map((line) => `- ${line.name}, ${formatMoney(line.priceCents)}`)].join('\n')] : []
  }
  const text = [
    `${name} (${who.email}) has deleted their account at ${shopName} while an order was open${receiptTag ? `, receipt ${receiptTag}` : ''}.`,
    ...list('Asked for, and no longer wanted:', 0),
    ...list('Sold already; if something of this has not been handed over yet, please write to them:', 1),
    'The conversation is deleted. This letter is all that still says who they were: please delete it when everything is settled.',
  ]
  return { subject: `${name} has left, with an open order`, text: `${text.join('\n\n')}\n`, replyTo: who.email }
}

export type Deleted = { ok: true } | { ok: false; refusal: 'owner' | 'not-found' | 'failed' }

/** LOGIN-38, LOGIN-54. `by`: herself, or the owner at her request (S-225). Guests leave by logging out (S-004). */
export async function deleteAccount(shop: Shop, id: string, by: 'herself' | 'owner'): Promise<Deleted> {
  if (id === ADMIN_ID) return { ok: false, refusal: 'owner' }
  const done = await attempt(shop.log, 'an account could not be deleted', async () => {
    const [to, { name: shopName }] = [await ownersAddress(shop.db), await readSettings(shop.db)]
    return transact(shop.db, async (tx) => {
      const sessions = await listSessions(tx, id)
      // Of letters with a code (036): one may have gone to an address that is not hers yet. Their rows go with the account.
      const proofs = await tx.selectFrom('addressProofs').select('id').where('userId', '=', id).execute()
      const person = await takeUser(tx, id)
      if (!person) return { ok: false, refusal: 'not-found' } as const
      const open = by === 'herself' ? await findOpenOrder(tx, id) : null
      const leaving = { id, email: person.email, goneId: `gone-${newId15()}` }
      const taken = await takeBelongings(
        tx,
        leaving,
        proofs.map((proof) => proof.id),
      )
      const pictures = [...taken.pictures, ...(await takePhotoAway(tx, id, person.image))]
      const at = shop.now()
      const act = { at, actor: by === 'owner' ? ADMIN_ID : GONE, act: 'delete-account', subject: '', name: 'a customer' } as const
      await recordAct(tx, { ...act, detail: { by, wasOrderOpen: open !== null } })
      if (open) await shop.mail.post(tx, { id: `left-${newId15()}`, kind: 'left', to, ...letterAboutOrder(open, person, shopName) }, at)
      return { ok: true, sessions, pictures, wasShown: taken.wasShown } as const
    })
  })
  if (!done.ok) return done
  shop.mail.wake()
  closeSessions(shop, done.sessions)
  shop.authSync.accountGone(id)
  shop.live.changed('orders', 'sales', 'tickets', 'mail', `order:${id}`, `user:${id}`)
  if (done.wasShown) shop.live.changed('testimonials')
  await deletePictureFiles(shop, done.pictures)
  return { ok: true }
}

/** First of all, so that nothing of hers can be written any more: sessions, ways in and favourites go with it. */
const takeUser = (tx: Tx, id: string) =>
  tx
    .deleteFrom('user')
    .where('id', '=', id)
    .where('id', '<>', ADMIN_ID)
    .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    .returning(['name', 'email', 'image'])
    .executeTakeFirst()

/** Records of sales keep date, piece, prices, receipt and invoice number. Her words, name and photo are hers: testimonies and tickets go. */
async function takeBelongings(tx: Tx, leaving: Leaving, proofs: string[]) {
  const { id, goneId } = leaving
  const uploads = await tx.deleteFrom('chatUploads').where('sender', '=', id).returning('pictureId').execute()
  const letters = await takeLetters(tx, leaving, proofs)
  const sent = await picturesOfOrder(tx, id)
  await tx.deleteFrom('orders').where('id', '=', id).execute()
  const sales = await tx
    .updateTable('sales')
    .set({ buyerId: goneId, buyerName: GONE, buyerEmail: '', buyerPhotoURL: '' })
    .where('buyerId', '=', id)
    .returning(['id', 'receiptTag'])
    .execute()
  await tx.updateTable('requests').set({ orderId: goneId }).where('orderId', '=', id).execute()
  const testimonies = await tx.deleteFrom('testimonies').where('writerId', '=', id).returning(['id', 'showOnPage']).execute()
  const receipts = new Set(sales.map((sale) => sale.receiptTag || sale.id))
  await forgetInHistory(tx, leaving, [...receipts, ...testimonies.map((row) => row.id), ...letters])
  await takeTraces(tx, leaving)
  const pictures = await removePictureRows(tx, [...sent, ...uploads.map((row) => row.pictureId)])
  return { pictures, wasShown: testimonies.some((row) => row.showOnPage === 1) }
}

type Unproven = { ok: false; error: string; status: number }

/** S-225: for a customer who asks the owner. `email` as in the address; nothing is looked for while it is empty. Guests have none. */
export async function findCustomer({ db }: Pick<Shop, 'db'>, typed: string): Promise<DataRequest> {
  const email = typed.trim().slice(0, 254)
  if (email === '' || !isReadable(email)) return { email: '', found: null, refusal: null }
  const user = await db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'createdAt'])
    .where('email', '=', email.toLowerCase())
    .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    .executeTakeFirst()
  if (!user) return { email, found: null, refusal: NO_ACCOUNT }
  if (isAdminId(user.id)) return { email, found: null, refusal: requestTexts.own }
  const { id, name } = user
  const found = { id, name, email: user.email, since: libraryTime(user.createdAt), belongings: await readBelongings(db, id) }
  return { email, found, refusal: null }
}

/** After the owner's password (S-015); who was asked about does not stand in the history, only that it was done. */
export async function downloadForCustomer(asker: Asker, owner: User, form: FormData): Promise<Response | Unproven> {
  const proof = await proveItsYou(asker, owner, form)
  if (!proof.ok) return proof
  const { shop } = asker
  const id = textOf(form, 'id')
  const file = id && !isAdminId(id) ? await downloadArchive(shop, { id, isForOwner: true }) : null
  if (!file) return { ok: false, error: NO_ACCOUNT, status: 404 }
  await transact(shop.db, (tx) =>
    recordAct(tx, { at: shop.now(), actor: ADMIN_ID, act: 'export-account', subject: '', name: 'a customer' }),
  )
  return file
}

/** S-225, LOGIN-54: the same as when she does it herself. */
export async function deleteForCustomer(asker: Asker, owner: User, form: FormData): Promise<{ ok: true } | Unproven> {
  if (textOf(form, 'intent') !== 'delete') return { ok: false, error: DELETE_FAILED, status: 400 }
  const proof = await proveItsYou(asker, owner, form)
  if (!proof.ok) return proof
  const done = await deleteAccount(asker.shop, textOf(form, 'id'), 'owner')
  if (done.ok) return done
  return done.refusal === 'failed' ? { ok: false, error: DELETE_FAILED, status: 500 } : { ok: false, error: NO_ACCOUNT, status: 404 }
}
