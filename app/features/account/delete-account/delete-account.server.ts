/** Deletes an account and everything that belongs to it in one transaction. Keeps the records that the law requires, but without the customer's identity. [LOGIN-24] */
import { anonymizeAuditLog } from './anonymize-audit-log.server.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { VERIFICATION_EMAIL } from '#app/lib/auth/verification-codes.server.ts'
import { customerDataTexts, deleteAccountTexts } from '#app/features/account/texts.ts'
import type { DataRequest } from './delete-account.ts'
import { findOpenOrder, openOrderEmail } from './open-order-email.server.ts'
import { ADMIN_ID, isAdminId } from '#app/services/admin-id.ts'
import type { AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { readUserDataSummary } from '#app/features/auth/user-data-summary.server.ts'
import { reauthenticate } from '#app/features/auth/reauthenticate.server.ts'
import { isStorableText, formText } from '#app/lib/http/form-data.server.ts'
import { toEpochMs } from '#app/services/users.server.ts'
import { downloadArchive } from '#app/features/account/data-export/data-export.server.tsx'
import { releaseHolds } from '#app/features/catalog/holds.server.ts'
import { picturesOfOrder } from '#app/features/orders/orders.server.ts'
import { publishSessionEnds, listSessionIds } from '#app/features/auth/sessions.server.ts'
import { replacePhoto } from '#app/features/auth/profile-photo.server.ts'
import { ownerEmail, readSettings } from '#app/features/settings/settings.server.ts'
import { deletePictureFiles, removePictureRows } from '#app/features/images/edit-images.server.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'

/** In the records that stay, the random `goneId` replaces the customer's id, so that all her purchases still belong to one buyer. `email` is null if the address was never confirmed. Then it may belong to somebody else, whose emails must stay. */
export type LeavingUser = { id: string; email: string | null; goneId: string }

const contains = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`replace(${sql.ref(column)}, ${text}, '') <> ${sql.ref(column)}`

/** Returns whether a text contains the whole email address. The address o@mail.test is not part of a text about leo@mail.test. */
function quotesAddress(text: string, email: string | null): boolean {
  const parts = email === null ? [] : text.toLowerCase().split(email)
  return parts
    .slice(1)
    .some((after, index) => !/[\w.+%-]$/.test(parts[index]!) && !/^(?:[\w-]|\.\w)/.test(after))
}

/** Emails of these kinds to other people may quote the customer. Emails from the contact form are missing here, because they do not belong to the account. */
const QUOTING_KINDS = ['unread', VERIFICATION_EMAIL, 'notice']

/** Deletes emails to the customer and emails that quote her. If this deletes an unsent reminder about messages of several customers, the owner gets a new reminder about the messages of the other customers. [S-222] */
async function deleteEmailsFor(
  tx: Tx,
  { id, email }: LeavingUser,
  tokenIds: readonly string[],
): Promise<string[]> {
  const reminderEmails = tx.selectFrom('reminders').select('emailId').where('orderId', '=', id)
  const found = await tx
    .selectFrom('outbox')
    .select(['id', 'text'])
    .where('kind', 'in', QUOTING_KINDS)
    .where(({ or }) =>
      or([contains('text', id), ...(email === null ? [] : [contains('text', email)])]),
    )
    .execute()
  const quoting = found.flatMap((row) =>
    row.text.includes(id) || quotesAddress(row.text, email) ? row.id : [],
  )
  const own = [...tokenIds, ...quoting]
  const gone = await tx
    .deleteFrom('outbox')
    .where(({ or, eb }) =>
      or([
        ...(email === null ? [] : [sql<boolean>`lower("toAddress") = ${email}`]),
        eb('id', 'in', reminderEmails),
        ...(own.length > 0 ? [eb('id', 'in', own)] : []),
      ]),
    )
    .returning(['id', 'sentAt'])
    .execute()
  const unsent = gone.filter((email) => email.sentAt === null).map((email) => email.id)
  if (unsent.length > 0) await tx.deleteFrom('reminders').where('emailId', 'in', unsent).execute()
  return gone.map((email) => email.id)
}

/** Deletes the customer's pending verifications, and the lines about her in import reports. */
async function deleteResidualData(tx: Tx, { id, email }: LeavingUser): Promise<void> {
  await sql`delete from "verification" where ${contains('value', id)} or ${contains('identifier', id)} or lower("identifier") = ${email ?? ''}`.execute(
    tx,
  )
  const moves = await tx
    .selectFrom('imports')
    .select(['id', 'report'])
    .where(({ or }) =>
      or([contains('report', id), ...(email === null ? [] : [contains('report', email)])]),
    )
    .execute()
  for (const move of moves) {
    const lines = move.report
      .split('\n')
      .filter((line) => !line.includes(id) && !quotesAddress(line, email))
    await tx
      .updateTable('imports')
      .set({ report: lines.join('\n') })
      .where('id', '=', move.id)
      .execute()
  }
}

export type Deleted = { ok: true } | { ok: false; refusal: 'owner' | 'not-found' | 'failed' }

/** Deletes a customer's account. `by` says whether the customer herself or, at her request, the owner deletes the account. Guests are deleted when they log out. [LOGIN-38, LOGIN-54, S-004, S-225] */
export async function deleteAccount(
  app: AppServices,
  id: string,
  by: 'herself' | 'owner',
): Promise<Deleted> {
  if (id === ADMIN_ID) return { ok: false, refusal: 'owner' }
  const done = await tryWrite(app.log, 'an account could not be deleted', async () => {
    const [to, { name: shopName }] = [await ownerEmail(app.db), await readSettings(app.db)]
    return inTransaction(app.db, async (tx) => {
      const sessions = await listSessionIds(tx, id)
      // Reads the ids of the tokens now, because deleting the account deletes the tokens. The ids are needed to delete emails with codes to other addresses.
      const tokens = await tx
        .selectFrom('verificationTokens')
        .select('id')
        .where('userId', '=', id)
        .execute()
      const person = await deleteUser(tx, id)
      if (!person) return { ok: false, refusal: 'not-found' } as const
      const open = by === 'herself' ? await findOpenOrder(tx, id) : null
      const leaving = {
        id,
        email: person.emailVerified ? person.email : null,
        goneId: `gone-${newId15()}`,
      }
      const taken = await deleteUserData(
        tx,
        leaving,
        tokens.map((token) => token.id),
      )
      const pictures = [...taken.pictures, ...(await replacePhoto(tx, id, person.image))]
      const at = app.now()
      const act = {
        at,
        actor: by === 'owner' ? ADMIN_ID : deleteAccountTexts.deletedName,
        act: 'delete-account',
        subject: '',
        name: 'a customer',
      } as const
      await recordAuditEvent(tx, { ...act, detail: { by, wasOrderOpen: open !== null } })
      if (open)
        await app.outbox.post(
          tx,
          {
            id: `left-${newId15()}`,
            kind: 'left',
            to,
            ...openOrderEmail(open, person, shopName, app.currency),
          },
          at,
        )
      return {
        ok: true,
        sessions,
        pictures,
        wasShown: taken.wasShown,
        hadHold: taken.hadHold,
      } as const
    })
  })
  if (!done.ok) return done
  app.outbox.wake()
  publishSessionEnds(app, done.sessions)
  await app.authWebhook.accountGone(id)
  app.live.changed('orders', 'sales', 'tickets', 'mail', `order:${id}`, `user:${id}`)
  if (done.wasShown) app.live.changed('testimonials')
  if (done.hadHold) app.live.changed('catalog')
  await deletePictureFiles(app, done.pictures)
  return { ok: true }
}

/** Deletes the user before her other data, so that no other transaction can add data for her. The database then deletes her sessions, logins and favorites by itself. */
const deleteUser = (tx: Tx, id: string) =>
  tx
    .deleteFrom('user')
    .where('id', '=', id)
    .where('id', '<>', ADMIN_ID)
    .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    .returning(['name', 'email', 'emailVerified', 'image'])
    .executeTakeFirst()

/** Deletes the customer's conversation, testimonies and testimony tickets. Keeps her sales and invoices, but without her name and address. */
async function deleteUserData(tx: Tx, leaving: LeavingUser, tokenIds: string[]) {
  const { id, goneId } = leaving
  const uploads = await tx
    .deleteFrom('chatUploads')
    .where('sender', '=', id)
    .returning('pictureId')
    .execute()
  const emailIds = await deleteEmailsFor(tx, leaving, tokenIds)
  const sent = await picturesOfOrder(tx, id)
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
  await deleteBillingAddresses(tx, [...receipts])
  await anonymizeAuditLog(tx, leaving, [
    ...receipts,
    ...testimonies.map((row) => row.id),
    ...emailIds,
  ])
  await deleteResidualData(tx, leaving)
  const pictures = await removePictureRows(tx, [...sent, ...uploads.map((row) => row.pictureId)])
  return { pictures, hadHold, wasShown: testimonies.some((row) => row.showOnPage === 1) }
}

async function deleteBillingAddresses(tx: Tx, receiptKeys: string[]): Promise<void> {
  for (let from = 0; from < receiptKeys.length; from += 500)
    await tx
      .updateTable('invoices')
      .set({ buyerName: '', buyerAddress: '' })
      .where('receiptKey', 'in', receiptKeys.slice(from, from + 500))
      .execute()
}

type NotReauthenticated = { ok: false; error: string; status: number }

/** Finds the customer with this email address, so that the owner can download or delete the customer's data. Does not find guests. [S-225] */
export async function findCustomer(
  { db }: Pick<AppServices, 'db'>,
  typed: string,
): Promise<DataRequest> {
  const email = typed.trim().slice(0, 254)
  if (email === '' || !isStorableText(email)) return { email: '', found: null, refusal: null }
  const user = await db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'createdAt'])
    .where('email', '=', email.toLowerCase())
    .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    .executeTakeFirst()
  if (!user) return { email, found: null, refusal: customerDataTexts.noAccount }
  if (isAdminId(user.id)) return { email, found: null, refusal: customerDataTexts.ownAccount }
  const { id, name } = user
  const found = {
    id,
    name,
    email: user.email,
    since: toEpochMs(user.createdAt),
    belongings: await readUserDataSummary(db, id),
  }
  return { email, found, refusal: null }
}

/** Lets the owner download a customer's data after the owner has typed her own password. The audit event does not name the customer. [S-015] */
export async function downloadForCustomer(
  auth: AuthRequest,
  owner: User,
  form: FormData,
): Promise<Response | NotReauthenticated> {
  const reauthentication = await reauthenticate(auth, owner, form)
  if (!reauthentication.ok) return reauthentication
  const { app } = auth
  const id = formText(form, 'id')
  const file = id && !isAdminId(id) ? await downloadArchive(app, { id, isForOwner: true }) : null
  if (!file) return { ok: false, error: customerDataTexts.noAccount, status: 404 }
  await inTransaction(app.db, (tx) =>
    recordAuditEvent(tx, {
      at: app.now(),
      actor: ADMIN_ID,
      act: 'export-account',
      subject: '',
      name: 'a customer',
    }),
  )
  return file
}

export async function deleteForCustomer(
  auth: AuthRequest,
  owner: User,
  form: FormData,
): Promise<{ ok: true } | NotReauthenticated> {
  if (formText(form, 'intent') !== 'delete')
    return { ok: false, error: deleteAccountTexts.failed, status: 400 }
  const reauthentication = await reauthenticate(auth, owner, form)
  if (!reauthentication.ok) return reauthentication
  const done = await deleteAccount(auth.app, formText(form, 'id'), 'owner')
  if (done.ok) return done
  return done.refusal === 'failed'
    ? { ok: false, error: deleteAccountTexts.failed, status: 500 }
    : { ok: false, error: customerDataTexts.noAccount, status: 404 }
}
