import { photoOf } from '#app/ui/profile-photo.ts'
import type { Shop } from '#app/platform/context.ts'
import type { Db, Tx } from '#db/schema.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { type Moderation, type ModerationRefusal, type ShownTestimony, type TestimonyItem, type Ticket, possibleActs } from './testimony.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { type Receipt, shownName } from '#app/features/sales/receipt.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { newSecretId } from '#app/platform/ids.ts'

/** More than anybody looks at; the rest stays in the books. */
const MOST = 100

const shownWriter = (row: { writerName: string; writerPhotoURL: string }) => ({
  writerName: row.writerName || 'Guest',
  writerPhotoURL: photoOf(row.writerPhotoURL),
})

async function listItems(db: Db, testimonies: { id: string }[]): Promise<Map<string, TestimonyItem[]>> {
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
  return new Map([...items].map(([id, found]) => [id, found.map(({ itemId, name }) => ({ id: itemId, name }))]))
}

/** TESTI-01, DATA-110, S-039, S-041, S-044: shown, not blank, newest first. */
export async function listShownTestimonies(db: Db): Promise<ShownTestimony[]> {
  const rows = await db
    .selectFrom('testimonies')
    .select(['id', 'writerName', 'writerPhotoURL', 'testimony'])
    .where('showOnPage', '=', 1)
    .where('testimony', '<>', '')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(MOST)
    .execute()
  const written = rows.filter((row) => row.testimony.trim() !== '')
  const items = await listItems(db, written)
  return written.map((row) => ({
    ...row,
    ...shownWriter(row),
    items: items.get(row.id) ?? [],
  }))
}

/** DATA-111, S-043: everything of the ticket that may be seen before its writer has named the e-mail. */
export async function findTicket(db: Db, id: string): Promise<Ticket> {
  const row = await db
    .selectFrom('testimonies')
    .select(['writerName', 'writerPhotoURL', 'isAvailable'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return { state: 'unknown' }
  return { state: row.isAvailable === 1 ? 'open' : 'taken', ...shownWriter(row) }
}

/** TESTI-14, TESTI-15, S-043: null unless the e-mail is the writer's, letter by letter, and the ticket is still open. */
export async function openTicket(db: Db, id: string, email: string): Promise<TestimonyItem[] | null> {
  const row = await db.selectFrom('testimonies').select('writerEmail').where('id', '=', id).where('isAvailable', '=', 1).executeTakeFirst()
  if (!row || row.writerEmail !== email) return null
  return (await listItems(db, [{ id }])).get(id) ?? []
}

export type Written = 'written' | 'refused' | 'failed'

/** TESTI-31 to TESTI-33, S-045; ERR-06: a failure is only logged. */
export async function writeTestimony(shop: Shop, id: string, { email, testimony }: { email: string; testimony: string }): Promise<Written> {
  let done: { id: string } | undefined
  try {
    done = await shop.db
      .updateTable('testimonies')
      .set({ testimony, isAvailable: 0, writtenAt: shop.now() })
      .where('id', '=', id)
      .where('isAvailable', '=', 1)
      .where('writerEmail', '=', email)
      .returning('id')
      .executeTakeFirst()
  } catch (error) {
    shop.log.error('a testimony could not be stored', error)
    return 'failed'
  }
  if (!done) return 'refused'
  // The page of the ticket may be open elsewhere, where nobody is signed in.
  shop.live.changed('tickets', 'testimonials')
  return 'written'
}

const PER_PAGE = 30

const written = (db: Db | Tx) => db.selectFrom('testimonies').where('isAvailable', '=', 0)

/** The waiting first, then by when they were written, newest first. `page` counts from 1; too high a one gives the last. */
export async function listVoices(db: Db, page: number) {
  const counts = await db
    .selectFrom('testimonies')
    .select(({ fn }) => fn.countAll().as('count'))
    .select(['isAvailable', 'isValidated', 'showOnPage'])
    .groupBy(['isAvailable', 'isValidated', 'showOnPage'])
    .execute()
  const count = (is: (row: (typeof counts)[number]) => boolean) => counts.filter(is).reduce((sum, row) => sum + Number(row.count), 0)
  const pages = Math.max(1, Math.ceil(count((row) => row.isAvailable === 0) / PER_PAGE))
  const here = Math.min(Math.max(1, page), pages)
  const rows = await written(db)
    .select(['id', 'writerName', 'writerEmail', 'writerPhotoURL', 'testimony', 'isValidated', 'showOnPage', 'createdAt', 'writtenAt'])
    .orderBy('isValidated')
    .orderBy(({ fn }) => fn.coalesce('writtenAt', 'createdAt'), 'desc')
    .orderBy('id')
    .limit(PER_PAGE)
    .offset((here - 1) * PER_PAGE)
    .execute()
  const items = await listItems(db, rows)
  return {
    voices: rows.map(({ isValidated, showOnPage, createdAt, writtenAt, ...row }) => ({
      ...row,
      ...shownWriter(row),
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

export type Voices = Awaited<ReturnType<typeof listVoices>>

/** The newest that nobody has looked at yet, for the owner's first page. */
export const listWaitingVoices = (db: Db, limit: number) =>
  written(db)
    .select(['id', 'writerName', 'writtenAt', 'createdAt'])
    .where('isValidated', '=', 0)
    .orderBy(({ fn }) => fn.coalesce('writtenAt', 'createdAt'), 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

const marks = {
  validate: { isValidated: 1 },
  show: { isValidated: 1, showOnPage: 1 },
  hide: { isValidated: 1, showOnPage: 0 },
} as const

/** null: done. Of two at once one does it and the other is told. */
export async function moderate(shop: Shop, actor: string, id: string, act: Moderation): Promise<ModerationRefusal | null> {
  let isSeen = false
  const refusal = await transact(shop.db, async (tx): Promise<ModerationRefusal | null> => {
    const row = await written(tx).select(['writerName', 'testimony', 'isValidated', 'showOnPage']).where('id', '=', id).executeTakeFirst()
    if (!row) return 'gone'
    const seen = { testimony: row.testimony, isValidated: row.isValidated === 1, isShown: row.showOnPage === 1 }
    if (!possibleActs(seen).includes(act)) return act === 'show' && !seen.isShown ? 'blank' : 'changed'
    const { numUpdatedRows } = await tx
      .updateTable('testimonies')
      .set(marks[act])
      .where('id', '=', id)
      .where('isValidated', '=', row.isValidated)
      .where('showOnPage', '=', row.showOnPage)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 'changed'
    isSeen = seen.isShown || act === 'show'
    await recordAct(tx, { at: shop.now(), actor, act: `${act}-testimony`, subject: id, name: row.writerName })
    return null
  })
  if (refusal === null) shop.live.changed('tickets', ...(isSeen ? (['testimonials'] as const) : []))
  return refusal
}

const dollars = (cents: number | null) => (cents === null ? undefined : cents / 100)

/** DATA-073 to DATA-083, S-134, in the order of `ids`; those that are gone meanwhile are left out. */
export async function listTestimonyDocuments(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const testimonies = await db.selectFrom('testimonies').selectAll().where('id', 'in', ids).execute()
  const items = await db.selectFrom('testimonyItems').selectAll().where('testimonyId', 'in', ids).orderBy('position').execute()
  const rows = new Map(testimonies.map((row) => [row.id, row]))
  const itemsOf = Map.groupBy(items, (item) => item.testimonyId)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const { writerId, isAvailable, isValidated, showOnPage, receiptTag: _, writtenAt: __, ...rest } = row
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

type TicketCreated = { ok: true; id: string; isNew: boolean } | { ok: false; refusal: 'not-found' | 'no-email' }

/**
 * TESTI-26 to TESTI-30, S-114: the receipt's ticket, made now if it has none. `receiptKey`: its tag, or the sale's id where it has no tag.
 * Its id nobody can guess (S-139); who finds the link still has to know the buyer's e-mail (S-043). When it is new, 'tickets' and 'sales' have changed.
 */
export async function giveTicket(tx: Tx, receiptKey: string, now: number): Promise<TicketCreated> {
  const receipt = await findReceipt(tx, receiptKey)
  if (!receipt) return { ok: false, refusal: 'not-found' }
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
  // The tag is unique: of two prints at once one makes the ticket and the other finds it.
  const made = await tx
    .insertInto('testimonies')
    .values(ticket)
    .onConflict((conflict) => conflict.column('receiptTag').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return { ok: true, id: await bringUpToDate(tx, receipt), isNew: false }
  await tx.insertInto('testimonyItems').values(itemsOf(ticket.id, receipt)).execute()
  const act = { at: now, actor: ADMIN_ID, act: 'create-ticket', subject: receiptKey, name: shownName(receipt) } as const
  await recordAct(tx, { ...act, detail: { ticket: ticket.id } })
  return { ok: true, id: ticket.id, isNew: true }
}

/** S-114: until it is written, the ticket names all that was sold with the receipt, also what came after its first printing. Gives its id. */
async function bringUpToDate(tx: Tx, receipt: Receipt): Promise<string> {
  // Written to, so that nobody writes the testimony meanwhile.
  const ticket = await tx
    .updateTable('testimonies')
    .set({ receiptTag: receipt.key })
    .where('receiptTag', '=', receipt.key)
    .returning(['id', 'isAvailable'])
    .executeTakeFirstOrThrow()
  if (ticket.isAvailable === 0) return ticket.id
  const known = await tx.selectFrom('testimonyItems').select('position').where('testimonyId', '=', ticket.id).execute()
  // Sales are only ever added (S-131).
  if (known.length === receipt.items.length) return ticket.id
  await tx.deleteFrom('testimonyItems').where('testimonyId', '=', ticket.id).execute()
  await tx.insertInto('testimonyItems').values(itemsOf(ticket.id, receipt)).execute()
  return ticket.id
}

const itemsOf = (testimonyId: string, { items }: Receipt) =>
  items.map((item, position) => ({
    testimonyId,
    position,
    itemId: item.id,
    name: item.name,
    priceCents: item.price,
    salePriceCents: item.salePrice,
  }))

/** The id of the ticket that was printed with this receipt before; null: none yet. */
export async function findTicketOf(db: Db, receiptKey: string): Promise<string | null> {
  const found = await db.selectFrom('testimonies').select('id').where('receiptTag', '=', receiptKey).executeTakeFirst()
  return found?.id ?? null
}
