import { createHash } from 'node:crypto'
import { photoOf } from '#app/ui/profile-photo.ts'
import type { AppServices } from '#app/services/context.ts'
import type { Db, Tx } from '#db/schema.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type {
  Moderation,
  ModerationRefusal,
  ShownTestimony,
  TestimonyItem,
  Ticket,
} from './testimony.ts'
import { possibleModerations } from './testimony.ts'
import { testimonialsTexts } from './texts.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { type Receipt, buyerDisplayName } from '#app/features/sales/receipt.ts'
import { findCreditOfReceipt } from '#app/features/credits/credits.server.ts'
import { customerName, isTypedLine } from '#app/features/orders/order.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { newSecretId } from '#app/lib/text/ids.ts'

const MAX_SHOWN = 100

const shownWriter = (row: { writerName: string; writerPhotoURL: string }) => ({
  writerName: row.writerName || testimonialsTexts.guest,
  writerPhotoURL: photoOf(row.writerPhotoURL),
})

async function listItems(
  db: Db,
  testimonies: { id: string }[],
): Promise<Map<string, TestimonyItem[]>> {
  if (testimonies.length === 0) return new Map()
  const ids = testimonies.map(({ id }) => id)
  const rows = await db
    .selectFrom('testimonyItems')
    .select(['testimonyId', 'itemId', 'name'])
    .where('testimonyId', 'in', ids)
    .orderBy('testimonyId')
    .orderBy('position')
    .execute()
  const items = Map.groupBy(rows, (row) => row.testimonyId)
  return new Map(
    [...items].map(([id, found]) => [
      id,
      found.map(({ itemId, name }) => ({ id: isTypedLine(itemId) ? '' : itemId, name })),
    ]),
  )
}

/** Returns an id that pages may contain. The id of a testimony is the secret in the URL of its testimony ticket, and cannot be found from its hash. */
export const publicIdOf = (id: string): string =>
  createHash('sha256').update(id).digest('base64url').slice(0, 12)

/** Lists the testimonies that visitors see, sorted from newest to oldest. Leaves out blank testimonies. [TESTI-01, DATA-110, S-039, S-041, S-044] */
export async function listShownTestimonies(db: Db): Promise<ShownTestimony[]> {
  const rows = await db
    .selectFrom('testimonies')
    .select(['id', 'writerName', 'writerPhotoURL', 'testimony'])
    .where('showOnPage', '=', 1)
    .where('testimony', '<>', '')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(MAX_SHOWN)
    .execute()
  const written = rows.filter((row) => row.testimony.trim() !== '')
  const items = await listItems(db, written)
  return written.map(({ id, ...row }) => ({
    ...row,
    ...shownWriter(row),
    id: publicIdOf(id),
    items: items.get(id) ?? [],
  }))
}

/** Returns what the page of a testimony ticket shows before the visitor has entered her email address. [DATA-111, S-043] */
export async function findTicket(db: Db, id: string): Promise<Ticket> {
  const row = await db
    .selectFrom('testimonies')
    .select(['writerName', 'writerPhotoURL', 'isAvailable', 'receiptTag'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return { state: 'unknown' }
  if (row.isAvailable === 1) return { state: 'open', ...shownWriter(row) }
  const credit = row.receiptTag === null ? null : await findCreditOfReceipt(db, row.receiptTag)
  return { state: 'taken', ...shownWriter(row), credit }
}

/** Returns the items of a testimony ticket. Returns null if `email` is not exactly the buyer's email address, or if the ticket is used. [TESTI-14, TESTI-15, S-043] */
export async function openTicket(
  db: Db,
  id: string,
  email: string,
): Promise<TestimonyItem[] | null> {
  const row = await db
    .selectFrom('testimonies')
    .select('writerEmail')
    .where('id', '=', id)
    .where('isAvailable', '=', 1)
    .executeTakeFirst()
  if (!row || row.writerEmail !== email) return null
  return (await listItems(db, [{ id }])).get(id) ?? []
}

const PER_PAGE = 30

const writtenTestimonies = (db: Db | Tx) =>
  db.selectFrom('testimonies').where('isAvailable', '=', 0)

/** Lists one page of the owner's list of testimonies, which begins with the testimonies that she has not reviewed. `page` counts from 1. If `page` is too high, returns the last page. */
export async function listTestimonies(db: Db, page: number) {
  const counts = await db
    .selectFrom('testimonies')
    .select(({ fn }) => fn.countAll().as('count'))
    .select(['isAvailable', 'isValidated', 'showOnPage'])
    .groupBy(['isAvailable', 'isValidated', 'showOnPage'])
    .execute()
  const count = (is: (row: (typeof counts)[number]) => boolean) =>
    counts.filter(is).reduce((sum, row) => sum + Number(row.count), 0)
  const pages = Math.max(1, Math.ceil(count((row) => row.isAvailable === 0) / PER_PAGE))
  const here = Math.min(Math.max(1, page), pages)
  const rows = await writtenTestimonies(db)
    .select([
      'id',
      'writerName',
      'writerEmail',
      'writerPhotoURL',
      'testimony',
      'isValidated',
      'showOnPage',
      'createdAt',
      'writtenAt',
    ])
    .orderBy('isValidated')
    .orderBy(({ fn }) => fn.coalesce('writtenAt', 'createdAt'), 'desc')
    .orderBy('id')
    .limit(PER_PAGE)
    .offset((here - 1) * PER_PAGE)
    .execute()
  const items = await listItems(db, rows)
  return {
    testimonies: rows.map(({ isValidated, showOnPage, createdAt, writtenAt, ...row }) => ({
      ...row,
      ...shownWriter(row),
      writerName: customerName({ name: row.writerName, email: row.writerEmail }),
      items: items.get(row.id) ?? [],
      isValidated: isValidated === 1,
      isShown: showOnPage === 1,
      writtenAt: writtenAt ?? createdAt,
    })),
    waiting: count((row) => row.isAvailable === 0 && row.isValidated === 0),
    shown: count((row) => row.isAvailable === 0 && row.showOnPage === 1),
    openTickets: count((row) => row.isAvailable === 1),
    page: here,
    pages,
  }
}

export type TestimonyList = Awaited<ReturnType<typeof listTestimonies>>

/** Lists the newest testimonies that the owner has not reviewed, for her dashboard. */
export const listPendingTestimonies = (db: Db, limit: number) =>
  writtenTestimonies(db)
    .select(['id', 'writerName', 'writerEmail', 'writtenAt', 'createdAt'])
    .where('isValidated', '=', 0)
    .orderBy(({ fn }) => fn.coalesce('writtenAt', 'createdAt'), 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

const moderationColumns = {
  validate: { isValidated: 1 },
  show: { isValidated: 1, showOnPage: 1 },
  hide: { isValidated: 1, showOnPage: 0 },
} as const

/** Validates, shows or hides a testimony. Returns null, or the reason for a refusal. For example, the owner may have changed the testimony in another browser tab. */
export async function moderateTestimony(
  app: AppServices,
  actor: string,
  id: string,
  act: Moderation,
): Promise<ModerationRefusal | null> {
  let isSeen = false
  const refusal = await inTransaction(app.db, async (tx): Promise<ModerationRefusal | null> => {
    const row = await writtenTestimonies(tx)
      .select(['writerName', 'testimony', 'isValidated', 'showOnPage'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) return 'gone'
    const seen = {
      testimony: row.testimony,
      isValidated: row.isValidated === 1,
      isShown: row.showOnPage === 1,
    }
    if (!possibleModerations(seen).includes(act))
      return act === 'show' && !seen.isShown ? 'blank' : 'changed'
    const { numUpdatedRows } = await tx
      .updateTable('testimonies')
      .set(moderationColumns[act])
      .where('id', '=', id)
      .where('isValidated', '=', row.isValidated)
      .where('showOnPage', '=', row.showOnPage)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 'changed'
    isSeen = seen.isShown || act === 'show'
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: `${act}-testimony`,
      subject: id,
      name: row.writerName,
    })
    return null
  })
  if (refusal === null) app.live.changed('tickets', ...(isSeen ? (['testimonials'] as const) : []))
  return refusal
}

const dollars = (cents: number | null) => (cents === null ? undefined : cents / 100)

/** Returns the testimonies with these ids in the format of the export, in the sequence of `ids`. [DATA-073 to DATA-083, S-134] */
export async function listTestimonyDocuments(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const testimonies = await db
    .selectFrom('testimonies')
    .selectAll()
    .where('id', 'in', ids)
    .execute()
  const items = await db
    .selectFrom('testimonyItems')
    .selectAll()
    .where('testimonyId', 'in', ids)
    .orderBy('position')
    .execute()
  const rows = new Map(testimonies.map((row) => [row.id, row]))
  const itemsOf = Map.groupBy(items, (item) => item.testimonyId)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const {
      writerId,
      isAvailable,
      isValidated,
      showOnPage,
      receiptTag: _,
      writtenAt: __,
      offeredAt: ___,
      ...rest
    } = row
    return {
      ...rest,
      writerid: writerId,
      items: (itemsOf.get(id) ?? []).map(({ itemId, name, priceCents, salePriceCents }) => ({
        id: itemId,
        name,
        price: dollars(priceCents),
        salePrice: dollars(salePriceCents),
      })),
      isAvailable: isAvailable === 1,
      isValidated: isValidated === 1,
      showOnPage: showOnPage === 1,
    }
  })
}

type TicketCreated =
  | { ok: true; id: string; isNew: boolean }
  | { ok: false; refusal: 'not-found' | 'no-email' }

/**
 * Returns the testimony ticket of a receipt. If the receipt has no ticket, creates one with an unguessable id. Refuses a receipt whose sales are all canceled. The caller must
 * publish the topics 'tickets' and 'sales'. [TESTI-26 to TESTI-30, S-114, S-139]
 */
export async function ensureTicket(
  tx: Tx,
  receiptKey: string,
  now: number,
  actor = ADMIN_ID,
): Promise<TicketCreated> {
  const receipt = await findReceipt(tx, receiptKey)
  if (!receipt?.items.some(({ isCanceled }) => !isCanceled))
    return { ok: false, refusal: 'not-found' }
  if (receipt.buyerEmail === '') return { ok: false, refusal: 'no-email' }
  const ticket = {
    id: newSecretId(),
    receiptTag: receiptKey,
    writerId: receipt.buyerid,
    writerName: receipt.buyerName,
    writerEmail: receipt.buyerEmail,
    writerPhotoURL: receipt.buyerPhotoURL,
    testimony: '',
    isAvailable: 1,
    isValidated: 0,
    showOnPage: 0,
    createdAt: now,
  } as const
  // If two HTTP requests create a testimony ticket at the same time, only one insert succeeds, because the receipt tag is unique.
  const made = await tx
    .insertInto('testimonies')
    .values(ticket)
    .onConflict((conflict) => conflict.column('receiptTag').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return { ok: true, id: await updateTicketItems(tx, receipt), isNew: false }
  await tx.insertInto('testimonyItems').values(ticketItems(ticket.id, receipt)).execute()
  const act = {
    at: now,
    actor,
    act: 'create-ticket',
    subject: receiptKey,
    name: buyerDisplayName(receipt),
  } as const
  await recordAuditEvent(tx, { ...act, detail: { ticket: ticket.id } })
  return { ok: true, id: ticket.id, isNew: true }
}

/** Replaces the items of an unused testimony ticket by the items of its receipt. Returns the id of the ticket. [S-114] */
async function updateTicketItems(tx: Tx, receipt: Receipt): Promise<string> {
  // This update changes no value, but locks the database row of the testimony ticket until the transaction ends.
  const ticket = await tx
    .updateTable('testimonies')
    .set({ receiptTag: receipt.key })
    .where('receiptTag', '=', receipt.key)
    .returning(['id', 'isAvailable'])
    .executeTakeFirstOrThrow()
  if (ticket.isAvailable === 0) return ticket.id
  await tx.deleteFrom('testimonyItems').where('testimonyId', '=', ticket.id).execute()
  await tx.insertInto('testimonyItems').values(ticketItems(ticket.id, receipt)).execute()
  return ticket.id
}

const ticketItems = (testimonyId: string, { items }: Receipt) =>
  items
    .filter(({ isCanceled }) => !isCanceled)
    .map((item, position) => ({
      testimonyId,
      position,
      itemId: item.id,
      name: item.name,
      priceCents: item.price,
      salePriceCents: item.salePrice,
    }))

/** Returns the id of the testimony ticket of a receipt, or null if the receipt has no testimony ticket. */
export async function findTicketOf(db: Db, receiptKey: string): Promise<string | null> {
  const found = await db
    .selectFrom('testimonies')
    .select('id')
    .where('receiptTag', '=', receiptKey)
    .executeTakeFirst()
  return found?.id ?? null
}
