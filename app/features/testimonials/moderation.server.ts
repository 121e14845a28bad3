/** What the owner sees and does at /manage/testimonials/ (S-039). */
import { photoOf } from '#app/features/profile/shown-photo.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db, Tx } from '#db/tables.ts'
import { possibleActs, type Moderation, type ModerationRefusal, type Voices } from './moderation.ts'
import { listItems } from './testimonies.server.ts'

const PER_PAGE = 30

const written = (db: Db | Tx) => db.selectFrom('testimonies').where('isAvailable', '=', 0)

/** The waiting first, then by when they were written, newest first. `page` counts from 1; too high a one gives the last. */
export async function listVoices(db: Db, page: number): Promise<Voices> {
  const counts = await db
    .selectFrom('testimonies')
    .select(({ fn }) => fn.countAll().as('count'))
    .select(['isAvailable', 'isValidated', 'showOnPage'])
    .groupBy(['isAvailable', 'isValidated', 'showOnPage'])
    .execute()
  const count = (is: (row: (typeof counts)[number]) => boolean) => counts.filter(is).reduce((sum, row) => sum + Number(row.count), 0)
  const pages = Math.max(1, Math.ceil(count((row) => row.isAvailable === 0) / PER_PAGE))
  const here = Math.min(Math.max(1, page), pages)
  // A late page is found among ids alone, in the index.
  const ofPage = await written(db)
    .select('id')
    .orderBy('isValidated')
    .orderBy(({ fn }) => fn.coalesce('writtenAt', 'createdAt'), 'desc')
    .orderBy('id')
    .limit(PER_PAGE)
    .offset((here - 1) * PER_PAGE)
    .execute()
  const ids = ofPage.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await readVoices(db, ids)
  const rows = ids.flatMap((id) => found.find((row) => row.id === id) ?? [])
  const items = await listItems(db, ids)
  return {
    voices: rows.map(({ isValidated, showOnPage, createdAt, writtenAt, ...row }) => ({
      ...row,
      writerName: row.writerName || 'Guest',
      writerPhotoURL: photoOf(row.writerPhotoURL),
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

const readVoices = (db: Db, ids: string[]) =>
  db
    .selectFrom('testimonies')
    .select(['id', 'writerName', 'writerEmail', 'writerPhotoURL', 'testimony', 'isValidated', 'showOnPage', 'createdAt', 'writtenAt'])
    .where('id', 'in', ids)
    .execute()

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
