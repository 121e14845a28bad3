/** Reading the shown testimonies, and writing one with a ticket. */
import { photoOf } from '#app/features/profile/shown-photo.ts'
import type { Shop } from '#app/platform/context.ts'
import type { Db } from '#db/tables.ts'
import type { ShownTestimony, Ticket, TestimonyItem } from './testimony.ts'

/** More than anybody looks at; the rest stays in the books. */
const MOST = 100

export async function listItems(db: Db, testimonyIds: string[]): Promise<Map<string, TestimonyItem[]>> {
  if (testimonyIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('testimonyItems')
    .select(['testimonyId', 'itemId', 'name'])
    .where('testimonyId', 'in', testimonyIds)
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
  const items = await listItems(
    db,
    written.map((row) => row.id),
  )
  return written.map((row) => ({
    ...row,
    writerName: row.writerName || 'Guest',
    writerPhotoURL: photoOf(row.writerPhotoURL),
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
  return {
    state: row.isAvailable === 1 ? 'open' : 'taken',
    writerName: row.writerName || 'Guest',
    writerPhotoURL: photoOf(row.writerPhotoURL),
  }
}

/** TESTI-14, TESTI-15, S-043: null unless the e-mail is the writer's, letter by letter, and the ticket is still open. */
export async function openTicket(db: Db, id: string, email: string): Promise<TestimonyItem[] | null> {
  const row = await db.selectFrom('testimonies').select('writerEmail').where('id', '=', id).where('isAvailable', '=', 1).executeTakeFirst()
  if (!row || row.writerEmail !== email) return null
  return (await listItems(db, [id])).get(id) ?? []
}

export type Written = 'written' | 'refused' | 'failed'

/** TESTI-31 to TESTI-33, S-045; ERR-06: a failure is only logged. */
export async function writeTestimony(shop: Shop, id: string, { email, testimony }: { email: string; testimony: string }): Promise<Written> {
  let done: { showOnPage: number } | undefined
  try {
    done = await shop.db
      .updateTable('testimonies')
      .set({ testimony, isAvailable: 0, writtenAt: shop.now() })
      .where('id', '=', id)
      .where('isAvailable', '=', 1)
      .where('writerEmail', '=', email)
      .returning('showOnPage')
      .executeTakeFirst()
  } catch (error) {
    shop.log.error('a testimony could not be stored', error)
    return 'failed'
  }
  if (!done) return 'refused'
  // Visitors see nothing of it before the owner shows it, unless she already does.
  shop.live.changed('tickets', ...(done.showOnPage === 1 ? (['testimonials'] as const) : []))
  return 'written'
}
