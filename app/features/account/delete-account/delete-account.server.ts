import { canonicalEmail } from '#lib/text/email-address.server.ts'
import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { namesCustomer } from '#services/audit-actions.ts'
import { auditSearchText, parseAuditDetail, recordAuditEvent } from '#services/audit-log.server.ts'
import { VERIFICATION_EMAIL } from '#lib/auth/verification-codes.server.ts'
import { customerDataTexts, deleteAccountTexts, openOrderEmailTexts } from '../texts.ts'
import { offerTotal } from '#offers/offer.ts'
import { readAgreements } from '#offers/offers.server.ts'
import { customerName } from '#conversation/people.ts'
import { paidText } from '#payments/texts.ts'
import { paymentReference } from '#payments/payments.server.ts'
import { formatMoney } from '#pricing/money.ts'
import { change } from '#services/change.server.ts'
import { refuse } from '#lib/refusal.ts'
import { done, refused, refusedWith } from '#ui/action-result.ts'
import { OWNER_ID, isOwnerId } from '#services/owner-id.ts'
import type { AuthRequest } from '#auth/auth-client.server.ts'
import { readUserDataSummary } from '#auth/user-data-summary.server.ts'
import { reauthenticate } from '#auth/reauthenticate.server.ts'
import { isStorableText, formText } from '#lib/http/form-data.server.ts'
import { isCustomer, toEpochMs } from '#services/users.server.ts'
import { DELETED_BUYER, removeExpiredBuyers } from './invoice-retention.server.ts'
import { downloadArchive } from '../data-export/data-export.server.tsx'
import { inBatches } from '#catalog/catalog.server.ts'
import { releaseHolds } from '#catalog/item-holds.server.ts'
import { deleteUploadsOf } from '#messaging/images/message-images.server.ts'
import { imagesOfOrder } from '#conversation/conversation.server.ts'
import { publishSessionEnds, listSessionIds } from '#auth/sessions.server.ts'
import { replacePhoto } from '#auth/profile-photo.server.ts'
import { ownerEmail, readSettings } from '#settings/settings.server.ts'
import { deleteImageFiles, removeImageRows } from '#images/edit-images.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { newId15 } from '#lib/text/ids.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'

export async function deleteAccount(app: AppServices, id: string, by: 'herself' | 'owner') {
  if (id === OWNER_ID) return refuse('owner')
  const result = await change(
    app,
    { failure: 'an account could not be deleted' },
    async (tx, now) => {
      const to = await ownerEmail(tx)
      const { name: shopName } = await readSettings(tx)
      const sessions = await listSessionIds(tx, id)
      const tokens = await tx
        .selectFrom('verificationTokens')
        .select('id')
        .where('userId', '=', id)
        .execute()
      const person = await deleteUser(tx, id)
      if (!person) return refuse('not-found')
      const order = by === 'herself' ? await findOpenOrder(tx, id) : null
      const leaving = {
        id,
        confirmedEmail: person.emailVerified ? person.email : null,
        goneId: `${DELETED_BUYER}${newId15()}`,
      }
      const tokenIds = tokens.map((token) => token.id)
      const { images, ...shown } = await deleteUserData(tx, app, leaving, tokenIds)
      const photos = await replacePhoto(tx, id, person.image)
      if (order) {
        const email = openOrderEmail(order, person, shopName, app.currency)
        await app.outbox.post(tx, { id: `left-${newId15()}`, kind: 'left', to, ...email }, now)
      }
      return {
        audit: {
          actor: by === 'owner' ? OWNER_ID : deleteAccountTexts.deletedName,
          act: 'delete-account' as const,
          subject: '',
          name: 'a customer',
          detail: { by, wasOrderOpen: order !== null },
        },
        value: { sessions, images: [...images, ...photos], ...shown },
      }
    },
  )
  if (!result.ok) return result
  const { sessions, images, wasShown, hadHold } = result.value
  app.outbox.wake()
  publishSessionEnds(app, sessions)
  await app.authWebhook.accountGone(id)
  app.live.changed('orders', 'sales', 'tickets', 'mail', `order:${id}`, `user:${id}`)
  if (wasShown) app.live.changed('testimonials')
  if (hadHold) app.live.changed('catalog')
  await deleteImageFiles(app, images)
  return { ok: true as const }
}

type LeavingUser = { id: string; confirmedEmail: string | null; goneId: string }

/** Deletes the user's row first, so that no other transaction can add data for her. */
const deleteUser = (tx: Tx, id: string) =>
  tx
    .deleteFrom('user')
    .where('id', '=', id)
    .where('id', '<>', OWNER_ID)
    .where(isCustomer)
    .returning(['name', 'email', 'emailVerified', 'image'])
    .executeTakeFirst()

async function deleteUserData(
  tx: Tx,
  app: Pick<AppServices, 'now' | 'timeZone'>,
  leaving: LeavingUser,
  tokenIds: string[],
) {
  const { id, goneId } = leaving
  const uploads = await deleteUploadsOf(tx, id)
  const emailIds = await deleteEmailsFor(tx, leaving, tokenIds)
  const messageImages = await imagesOfOrder(tx, id)
  const hadHold = await releaseHolds(tx, id)
  await tx.deleteFrom('orders').where('id', '=', id).execute()
  const sales = await tx
    .updateTable('sales')
    .set({
      buyerId: goneId,
      buyerName: deleteAccountTexts.deletedName,
      buyerEmail: '',
      buyerPhotoURL: '',
    })
    .where('buyerId', '=', id)
    .returning(['id', 'receiptTag'])
    .execute()
  await tx.updateTable('requests').set({ orderId: goneId }).where('orderId', '=', id).execute()
  const testimonies = await tx
    .deleteFrom('testimonies')
    .where('writerId', '=', id)
    .returning(['id', 'showOnPage'])
    .execute()
  const receipts = new Set(sales.map((sale) => sale.receiptTag || sale.id))
  await removeExpiredBuyers(tx, app)
  await anonymizeAuditLog(tx, leaving, [
    ...receipts,
    ...testimonies.map((row) => row.id),
    ...emailIds,
  ])
  await deleteResidualData(tx, leaving)
  const images = await removeImageRows(tx, [...messageImages, ...uploads])
  return { images, hadHold, wasShown: testimonies.some((row) => row.showOnPage) }
}

/** Ignores an address that is only a part of a longer one. */
function quotesAddress(text: string, email: string) {
  const parts = text.toLowerCase().split(email)
  return parts
    .slice(1)
    .some((after, index) => !/[\w.+%-]$/.test(parts[index]!) && !/^(?:[\w-]|\.\w)/.test(after))
}

const quotesPerson = (text: string, { id, confirmedEmail }: LeavingUser) =>
  text.includes(id) || (confirmedEmail !== null && quotesAddress(text, confirmedEmail))

const contains = (column: string, text: string) =>
  sql<boolean>`replace(${sql.ref(column)}, ${text}, '') <> ${sql.ref(column)}`

const mayQuotePerson = (column: string, { id, confirmedEmail }: LeavingUser) =>
  confirmedEmail === null
    ? contains(column, id)
    : sql<boolean>`(${contains(column, id)} or ${contains(column, confirmedEmail)})`

/** Emails of the contact form are missing here, because they do not belong to the account. */
const QUOTING_KINDS = ['unread', VERIFICATION_EMAIL, 'notice']

async function deleteEmailsFor(tx: Tx, leaving: LeavingUser, tokenIds: readonly string[]) {
  const { id, confirmedEmail } = leaving
  const reminderEmails = tx.selectFrom('reminders').select('emailId').where('orderId', '=', id)
  const candidates = await tx
    .selectFrom('outbox')
    .select(['id', 'text'])
    .where('kind', 'in', QUOTING_KINDS)
    .where(mayQuotePerson('text', leaving))
    .execute()
  const quoting = candidates.filter((row) => quotesPerson(row.text, leaving))
  const emailIds = [...tokenIds, ...quoting.map((row) => row.id)]
  const deleted = await tx
    .deleteFrom('outbox')
    .where(({ or, eb }) =>
      or([
        ...(confirmedEmail === null ? [] : [sql<boolean>`lower("toAddress") = ${confirmedEmail}`]),
        eb('id', 'in', reminderEmails),
        ...(emailIds.length > 0 ? [eb('id', 'in', emailIds)] : []),
      ]),
    )
    .returning(['id', 'sentAt'])
    .execute()
  const unsent = deleted.filter((row) => row.sentAt === null).map((row) => row.id)
  if (unsent.length > 0) await tx.deleteFrom('reminders').where('emailId', 'in', unsent).execute()
  return deleted.map((row) => row.id)
}

async function deleteResidualData(tx: Tx, leaving: LeavingUser) {
  const { id, confirmedEmail } = leaving
  await tx
    .deleteFrom('verification')
    .where(({ or }) =>
      or([
        contains('value', id),
        contains('identifier', id),
        sql<boolean>`lower("identifier") = ${confirmedEmail ?? ''}`,
      ]),
    )
    .execute()
  const imports = await tx
    .selectFrom('imports')
    .select(['id', 'report'])
    .where(mayQuotePerson('report', leaving))
    .execute()
  for (const { id: importId, report } of imports) {
    const lines = report.split('\n').filter((line) => !quotesPerson(line, leaving))
    await tx
      .updateTable('imports')
      .set({ report: lines.join('\n') })
      .where('id', '=', importId)
      .execute()
  }
}

const personalDetails = new Set(['buyer', 'to'])

async function anonymizeAuditLog(tx: Tx, { id, goneId }: LeavingUser, subjects: readonly string[]) {
  for (const ids of inBatches([id, ...subjects])) {
    const rows = await tx
      .selectFrom('audit')
      .select(['seq', 'act', 'subject', 'name', 'detail'])
      .where('subject', 'in', ids)
      .execute()
    for (const { seq, act, subject, name, detail } of rows) {
      const namesPerson = namesCustomer(act)
      const cleanDetail = Object.fromEntries(
        Object.entries(parseAuditDetail(detail)).map(([key, value]) => [
          key,
          personalDetails.has(key) ? deleteAccountTexts.deletedName : value,
        ]),
      )
      const cleanName = namesPerson ? deleteAccountTexts.deletedName : name
      const words = [cleanName, namesPerson ? cleanDetail.item : deleteAccountTexts.deletedName]
      const row = {
        subject: subject === id ? goneId : subject,
        name: cleanName,
        words: auditSearchText(words.filter((word) => typeof word === 'string').join(' ')),
        detail: JSON.stringify(cleanDetail),
      }
      await tx.updateTable('audit').set(row).where('seq', '=', seq).execute()
    }
  }
}

async function findOpenOrder(tx: Tx, id: string) {
  const order = await tx
    .selectFrom('orders')
    .select(['receiptTag', 'isClosed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!order) return null
  const lines = await tx
    .selectFrom('orderItems as i')
    .leftJoin('sales as s', 's.id', 'i.saleId')
    .select(['i.name', 'i.priceCents', 'i.agreedCents', 'i.quantity', 'i.isSold'])
    .select('s.salePriceCents')
    .where('i.orderId', '=', id)
    .orderBy('i.position')
    .orderBy('i.itemId')
    .execute()
  const offers = await readAgreements(tx, id)
  const isOpen = order.isClosed
    ? offers.some(({ isSettled }) => !isSettled)
    : lines.length > 0 || offers.length > 0
  return isOpen ? { ...order, lines, offers } : null
}

function openOrderEmail(
  { receiptTag, lines, offers }: NonNullable<Awaited<ReturnType<typeof findOpenOrder>>>,
  who: { name: string; email: string },
  shopName: string,
  currency: AppServices['currency'],
) {
  const name = customerName(who)
  const money = (cents: number) => formatMoney(cents, currency)
  const section = (title: string, entries: string[]) =>
    entries.length > 0 ? [[title, ...entries.map((entry) => `- ${entry}`)].join('\n')] : []
  const pieces = (isSold: boolean) =>
    lines
      .filter((line) => line.isSold === isSold)
      .map((line) => {
        const cents = line.salePriceCents ?? line.agreedCents ?? line.priceCents * line.quantity
        return `${line.name}${line.quantity > 1 ? ` × ${line.quantity}` : ''}, ${money(cents)}`
      })
  const agreements = offers.map((offer) => {
    const paid = (offer.payment?.payments ?? []).map(
      (payment) => `${paidText(payment)}: ${money(payment.cents)}`,
    )
    const isCanceled = offer.state === 'canceled'
    const total = money(offerTotal(offer))
    return openOrderEmailTexts.offer(paymentReference(offer.id), isCanceled, total, paid)
  })
  const text = [
    openOrderEmailTexts.start(name, who.email, shopName, receiptTag),
    ...section(openOrderEmailTexts.notRequested, pieces(false)),
    ...section(openOrderEmailTexts.alreadySold, pieces(true)),
    ...section(openOrderEmailTexts.offers, agreements),
    openOrderEmailTexts.end,
  ]
  return {
    subject: openOrderEmailTexts.subject(name),
    text: `${text.join('\n\n')}\n`,
    replyTo: who.email,
  }
}

export type DataRequest = Awaited<ReturnType<typeof findCustomer>>

export async function findCustomer({ db }: AppServices, typed: string) {
  const email = typed.trim().slice(0, 254)
  if (email === '' || !isStorableText(email)) return { email: '', customer: null, refusal: null }
  const user = await db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'createdAt'])
    .where('email', '=', canonicalEmail(email))
    .where(isCustomer)
    .executeTakeFirst()
  if (!user) return { email, customer: null, refusal: customerDataTexts.noAccount }
  if (isOwnerId(user.id)) return { email, customer: null, refusal: customerDataTexts.ownAccount }
  const customer = {
    ...user,
    since: toEpochMs(user.createdAt),
    belongings: await readUserDataSummary(db, user.id),
  }
  return { email, customer, refusal: null }
}

/** The audit event does not name the customer. [S-015] */
export async function downloadForCustomer(auth: AuthRequest, owner: User, form: FormData) {
  const refusal = await reauthenticate(auth, owner, form)
  if (refusal) return refusedWith(refusal)
  const { app } = auth
  const id = formText(form, 'id')
  const file = id && !isOwnerId(id) ? await downloadArchive(app, { id, isForOwner: true }) : null
  if (!file) return refused(404, { error: customerDataTexts.noAccount })
  await inTransaction(app.db, (tx) =>
    recordAuditEvent(tx, {
      at: app.now(),
      actor: OWNER_ID,
      act: 'export-account',
      subject: '',
      name: 'a customer',
    }),
  )
  return file
}

export async function deleteForCustomer(auth: AuthRequest, owner: User, form: FormData) {
  if (formText(form, 'intent') !== 'delete') {
    return refused(400, { error: deleteAccountTexts.failed })
  }
  const refusal = await reauthenticate(auth, owner, form)
  if (refusal) return refusedWith(refusal)
  const deletion = await deleteAccount(auth.app, formText(form, 'id'), 'owner')
  if (deletion.ok) return done(customerDataTexts.deleted)
  return deletion.refusal === 'failed'
    ? refused(500, { error: deleteAccountTexts.failed })
    : refused(404, { error: customerDataTexts.noAccount })
}
