import { createHash } from 'node:crypto'
import { notSavedText } from '#ui/texts.ts'
import { photoOf } from '#ui/profile-photo.ts'
import type { AppServices } from '#services/context.ts'
import type { Db, Tables, Tx } from '#db/schema.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import type { Topic } from '#services/live-topics.server.ts'
import { change } from '#services/change.server.ts'
import { lockUser } from '#services/users.server.ts'
import { z } from 'zod'
import { type ActionTable, formAction, textField } from '#lib/http/form-actions.server.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { countRows } from '#lib/db/count-rows.server.ts'
import { recordOf } from '#lib/record-of.ts'
import { refuse } from '#lib/refusal.ts'
import {
  type Moderation,
  moderations,
  type TestimonyItem,
  possibleModerations,
} from './testimony.ts'
import { moderationResults, testimonialsTexts } from './texts.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { type Receipt, buyerDisplayName } from '#sales/receipt.ts'
import { earnCredit, findCreditOfReceipt } from '#credits/credits.server.ts'
import { customerName } from '#conversation/people.ts'
import { isTypedLine } from '#conversation/order-line.ts'
import { findReceipt } from '#sales/sales.server.ts'
import { newSecretId } from '#lib/text/ids.ts'

const SHOWN_PER_PAGE = 100

const shownWriter = (row: { writerName: string; writerPhotoURL: string }) => ({
  writerName: row.writerName || testimonialsTexts.guest,
  writerPhotoURL: photoOf(row.writerPhotoURL),
})

async function readItemsOf(db: Db, testimonies: { id: string }[]) {
  const ids = testimonies.map(({ id }) => id)
  if (ids.length === 0) return () => []
  const rows = await db
    .selectFrom('testimonyItems')
    .select(['testimonyId', 'itemId', 'name'])
    .where('testimonyId', 'in', ids)
    .orderBy('testimonyId')
    .orderBy('position')
    .execute()
  const items = Map.groupBy(rows, (row) => row.testimonyId)
  return (id: string): TestimonyItem[] =>
    (items.get(id) ?? []).map(({ itemId, name }) => ({
      id: isTypedLine(itemId) ? '' : itemId,
      name,
    }))
}

/** Pages contain this hash of the id, because the id is the secret in the ticket's URL. */
export const publicIdOf = (id: string) =>
  createHash('sha256').update(id).digest('base64url').slice(0, 12)

/** Lists the page `page` of the shown testimonies, the newest first. Pages count from 1. */
export async function listShownTestimonies(db: Db, page: number) {
  const shown = db
    .selectFrom('testimonies')
    .where('showOnPage', '=', true)
    .where('testimony', '<>', '')
  const pages = Math.max(1, Math.ceil((await countRows(shown)) / SHOWN_PER_PAGE))
  const currentPage = Math.min(page, pages)
  const rows = await shown
    .select(['id', 'writerName', 'writerPhotoURL', 'testimony'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(SHOWN_PER_PAGE)
    .offset((currentPage - 1) * SHOWN_PER_PAGE)
    .execute()
  const itemsOf = await readItemsOf(db, rows)
  return {
    page: currentPage,
    pages,
    testimonies: rows
      .filter((row) => row.testimony.trim() !== '')
      .map(({ id, ...row }) => ({
        ...row,
        ...shownWriter(row),
        id: publicIdOf(id),
        items: itemsOf(id),
      })),
  }
}

export type ShownTestimonies = Awaited<ReturnType<typeof listShownTestimonies>>
export type ShownTestimony = ShownTestimonies['testimonies'][number]

export const readNewestTestimonyCached = (app: Pick<AppServices, 'db' | 'live'>) =>
  cached(app, ['testimonials'], 'newest testimony', async () => {
    const { testimonies } = await listShownTestimonies(app.db, 1)
    return testimonies[0] ?? null
  })

export async function findTicket(db: Db, id: string) {
  const row = await db
    .selectFrom('testimonies')
    .select(['writerName', 'writerPhotoURL', 'isAvailable', 'receiptTag'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return { state: 'unknown' as const }
  if (row.isAvailable) return { state: 'open' as const, ...shownWriter(row) }
  const credit = row.receiptTag === null ? null : await findCreditOfReceipt(db, row.receiptTag)
  return { state: 'taken' as const, ...shownWriter(row), credit }
}

export type Ticket = Awaited<ReturnType<typeof findTicket>>

export async function openTicket(db: Db, id: string, email: string) {
  const row = await db
    .selectFrom('testimonies')
    .select('writerEmail')
    .where('id', '=', id)
    .where('isAvailable', '=', true)
    .executeTakeFirst()
  if (!row || row.writerEmail !== email) return null
  const itemsOf = await readItemsOf(db, [{ id }])
  return itemsOf(id)
}

const PER_PAGE = 30

const writtenTestimonies = (db: Db) => db.selectFrom('testimonies').where('isAvailable', '=', false)

export async function listTestimonies(db: Db, page: number) {
  const counts = await db
    .selectFrom('testimonies')
    .select(({ fn }) => fn.countAll().as('count'))
    .select(['isAvailable', 'isValidated', 'showOnPage'])
    .groupBy(['isAvailable', 'isValidated', 'showOnPage'])
    .execute()
  const count = (isCounted: (row: (typeof counts)[number]) => boolean) =>
    counts.filter(isCounted).reduce((sum, row) => sum + Number(row.count), 0)
  const pages = Math.max(1, Math.ceil(count((row) => !row.isAvailable) / PER_PAGE))
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
    ])
    .orderBy('isValidated')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(PER_PAGE)
    .offset((here - 1) * PER_PAGE)
    .execute()
  const itemsOf = await readItemsOf(db, rows)
  return {
    testimonies: rows.map((row) => ({
      ...row,
      writerPhotoURL: photoOf(row.writerPhotoURL),
      writerName: customerName({ name: row.writerName, email: row.writerEmail }),
      items: itemsOf(row.id),
    })),
    waiting: count((row) => !row.isAvailable && !row.isValidated),
    shown: count((row) => !row.isAvailable && row.showOnPage),
    openTickets: count((row) => row.isAvailable),
    page: here,
    pages,
  }
}

export type TestimonyList = Awaited<ReturnType<typeof listTestimonies>>

export const listPendingTestimonies = (db: Db, limit: number) =>
  writtenTestimonies(db)
    .select(['id', 'writerName', 'writerEmail', 'createdAt'])
    .where('isValidated', '=', false)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

const moderationColumns = {
  validate: { isValidated: true },
  show: { isValidated: true, showOnPage: true },
  hide: { isValidated: true, showOnPage: false },
}

const moderateTestimony = (app: AppServices, actor: string, id: string, act: Moderation) =>
  change(app, { failure: 'a testimony could not be moderated' }, async (tx) => {
    const row = await writtenTestimonies(tx)
      .select(['writerName', 'testimony', 'isValidated', 'showOnPage'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) return refuse('gone')
    if (!possibleModerations(row).includes(act)) {
      return refuse(act === 'show' && !row.showOnPage ? 'blank' : 'changed')
    }
    const { numUpdatedRows } = await tx
      .updateTable('testimonies')
      .set(moderationColumns[act])
      .where('id', '=', id)
      .where('isValidated', '=', row.isValidated)
      .where('showOnPage', '=', row.showOnPage)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return refuse('changed')
    const topics: Topic[] = ['tickets']
    if (row.showOnPage || act === 'show') topics.push('testimonials')
    const audit = { actor, act: `${act}-testimony`, subject: id, name: row.writerName } as const
    return { audit, topics }
  })

const say = (text: string, status: number) => ({ status, toasts: [text] })

export const moderationActions: ActionTable<{ app: AppServices; actor: string }> = recordOf(
  moderations,
  (act) =>
    formAction({
      schema: z.object({ id: textField }),
      run: ({ app, actor }, { id }) => moderateTestimony(app, actor, id, act),
      success: moderationResults[act],
      refusals: {
        gone: say(moderationResults.gone, 404),
        changed: say(moderationResults.changed, 409),
        blank: say(moderationResults.blank, 422),
        failed: say(notSavedText, 500),
      },
    }),
)

const dollars = (cents: number | null) => (cents === null ? undefined : cents / 100)

export async function listTestimonyDocuments(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const testimonies = await db
    .selectFrom('testimonies')
    .select(['id', 'writerName', 'writerEmail', 'writerPhotoURL', 'testimony', 'createdAt'])
    .select(['writerId as writerid', 'isAvailable', 'isValidated', 'showOnPage'])
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
    return {
      ...row,
      items: (itemsOf.get(id) ?? []).map(({ itemId, name, priceCents, salePriceCents }) => ({
        id: itemId,
        name,
        price: dollars(priceCents),
        salePrice: dollars(salePriceCents),
      })),
    }
  })
}

/** For a new ticket, the caller must name the topics 'tickets' and 'sales'. [TESTI-26] */
export async function ensureTicket(tx: Tx, receiptKey: string, now: number, actor = OWNER_ID) {
  const receipt = await findReceipt(tx, receiptKey)
  if (!receipt?.items.some(({ isCanceled }) => !isCanceled)) return refuse('not-found')
  if (receipt.buyerEmail === '') return refuse('no-email')
  const ticket = {
    id: newSecretId(),
    receiptTag: receiptKey,
    writerId: receipt.buyerid,
    writerName: receipt.buyerName,
    writerEmail: receipt.buyerEmail,
    writerPhotoURL: receipt.buyerPhotoURL,
    testimony: '',
    isAvailable: true,
    isValidated: false,
    showOnPage: false,
    createdAt: now,
  }
  const insertedRow = await tx
    .insertInto('testimonies')
    .values(ticket)
    .onConflict((conflict) => conflict.column('receiptTag').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!insertedRow) {
    const id = await updateTicketItems(tx, receipt)
    return { ok: true as const, id, isNew: false }
  }
  await insertTicketItems(tx, ticket.id, receipt)
  await recordAuditEvent(tx, {
    at: now,
    actor,
    act: 'create-ticket',
    subject: receiptKey,
    name: buyerDisplayName(receipt),
    detail: { ticket: ticket.id },
  })
  return { ok: true as const, id: ticket.id, isNew: true }
}

async function updateTicketItems(tx: Tx, receipt: Receipt) {
  // This changes no value, but locks the row.
  const ticket = await tx
    .updateTable('testimonies')
    .set({ receiptTag: receipt.key })
    .where('receiptTag', '=', receipt.key)
    .returning(['id', 'isAvailable'])
    .executeTakeFirstOrThrow()
  if (!ticket.isAvailable) return ticket.id
  await tx.deleteFrom('testimonyItems').where('testimonyId', '=', ticket.id).execute()
  await insertTicketItems(tx, ticket.id, receipt)
  return ticket.id
}

async function insertTicketItems(tx: Tx, testimonyId: string, receipt: Receipt) {
  const items = receipt.items
    .filter(({ isCanceled }) => !isCanceled)
    .map((item, position) => ({
      testimonyId,
      position,
      itemId: item.id,
      name: item.name,
      priceCents: item.price,
      salePriceCents: item.salePrice,
    }))
  await tx.insertInto('testimonyItems').values(items).execute()
}

export const ticketUrl = (origin: string, ticketId: string) =>
  `${origin}/writetestimonials/${ticketId}`

export async function findTicketOf(db: Db, receiptKey: string) {
  const ticket = await db
    .selectFrom('testimonies')
    .select('id')
    .where('receiptTag', '=', receiptKey)
    .executeTakeFirst()
  return ticket?.id ?? null
}

export async function writeTestimony(
  app: AppServices,
  id: string,
  { email, testimony }: { email: string; testimony: string },
) {
  const result = await change(
    app,
    { failure: 'a testimony could not be stored' },
    async (tx, now) => {
      // Locks the account before the testimony, in the same order as the deletion of an account.
      const ticket = await tx
        .selectFrom('testimonies')
        .select('writerId')
        .where('id', '=', id)
        .executeTakeFirst()
      const writer = ticket && (await lockUser(tx, ticket.writerId))
      const row = await tx
        .updateTable('testimonies')
        .set({ testimony, isAvailable: false, createdAt: now })
        .where('id', '=', id)
        .where('isAvailable', '=', true)
        .where('writerEmail', '=', email)
        .returning(['writerId', 'receiptTag', 'writerName', 'writerEmail'])
        .executeTakeFirst()
      if (!row) return refuse('refused')
      const hasEarned = await earnReward(tx, row, writer?.id, now)
      const topics: Topic[] = ['tickets', 'testimonials']
      if (hasEarned) topics.push(`order:${row.writerId}`)
      return { topics }
    },
  )
  return result.ok ? 'written' : result.refusal
}

type WrittenTestimony = Pick<
  Tables['testimonies'],
  'writerId' | 'receiptTag' | 'writerName' | 'writerEmail'
>

/**
 * The writer may differ from `lockedId`, because a guest's data may just have moved to an account.
 */
async function earnReward(
  tx: Tx,
  { writerId, receiptTag, writerName, writerEmail }: WrittenTestimony,
  lockedId: string | undefined,
  now: number,
) {
  if (receiptTag === null || writerId === OWNER_ID) return false
  if (lockedId !== writerId && !(await lockUser(tx, writerId))) return false
  const name = customerName({ name: writerName, email: writerEmail })
  return earnCredit(tx, { userId: writerId, receiptTag, name }, now)
}
