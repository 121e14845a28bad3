/** Stores each preview in the database for an hour, so that any process can apply the import. Does not store the CSV file. */
import type { ItemValues } from '#app/features/catalog/catalog.ts'
import type { Db, Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import type { ItemChange } from './item-columns.ts'

export type ChangedRow = {
  row: number
  kind: 'change' | 'add' | 'note'
  id: string
  name: string
  changes: ItemChange[]
  notes: string[]
  /** The stored values of the item; null if the row adds an item. */
  before: ItemValues | null
  after: ItemValues
  /** Ids of the images of a new item; empty for an existing item. */
  pictureIds: string[]
}
export type RefusedRow = {
  row: number
  id: string
  name: string
  column: string | null
  cell: string
  text: string
}
export type PreviewRows = { changes: ChangedRow[]; refused: RefusedRow[] }
export type PreviewList = keyof PreviewRows

export type ImportPreview = {
  id: string
  fileName: string
  at: number
  counts: {
    rows: number
    unchanged: number
    changed: number
    added: number
    noted: number
    refused: number
  }
  /** For each changed column, the number of rows that change this column. */
  columns: { title: string; count: number }[]
  /** Titles of the item columns that are missing in the file. */
  missing: string[]
  notice: string | null
}

/** `leftOut` is the number of rows that the import has skipped, for example because their items had changed since the preview. */
export type ImportResult = {
  updated: number
  added: number
  leftOut: number
  left: { row: number; name: string; text: string }[]
}

export const PREVIEW_PAGE_SIZE = 50
const BATCH_SIZE = 500
const HOUR_MS = 3_600_000

/** The id of a preview begins with the time, so that ids sort by time. The last characters of the id are random, so that nobody can guess an id. */
const idPrefix = (at: number) => String(Math.max(at, 0)).padStart(13, '0')
export const newPreviewId = (now: number): string => `${idPrefix(now)}-${newSecretId()}`

export async function saveRows(db: Db, id: string, found: PreviewRows): Promise<void> {
  const rows = (['changes', 'refused'] as const).flatMap((part) =>
    found[part].map((line) => ({
      checkId: id,
      part,
      page: line.row,
      content: JSON.stringify(line),
    })),
  )
  if (rows.length > 0) await db.insertInto('importPreviews').values(rows).execute()
}

/** Saves a preview after the caller has saved the rows of the preview. So every preview in the database is complete. */
export async function savePreview(db: Db, plan: ImportPreview): Promise<void> {
  await db
    .insertInto('importPreviews')
    .values({ checkId: plan.id, part: 'plan', page: 0, content: JSON.stringify(plan) })
    .execute()
}

export async function deletePreview(db: Db, id: string): Promise<void> {
  await db.deleteFrom('importPreviews').where('checkId', '=', id).execute()
}

/** Deletes expired previews and their rows. Also deletes rows of a preview that a process has stopped saving. */
export async function deleteOldPreviews({
  db,
  now,
}: Pick<AppServices, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('importPreviews')
    .where('checkId', '<', idPrefix(now() - HOUR_MS))
    .execute()
}

/** Returns null if the preview is unknown or has expired. */
export async function findPreview(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  id: string,
): Promise<{ plan: ImportPreview; applied: ImportResult | null } | null> {
  if (!/^\d{13}-[A-Za-z0-9]{22}$/.test(id) || id < idPrefix(now() - HOUR_MS)) return null
  const rows = await db
    .selectFrom('importPreviews')
    .select(['part', 'content'])
    .where('checkId', '=', id)
    .where('part', 'in', ['plan', 'applied'])
    .execute()
  const contentOf = (part: string) =>
    JSON.parse(rows.find((row) => row.part === part)?.content ?? 'null')
  const plan = contentOf('plan') as ImportPreview | null
  return plan && { plan, applied: contentOf('applied') as ImportResult | null }
}

const selectRows = (db: Db | Tx, id: string, list: PreviewList) =>
  db
    .selectFrom('importPreviews')
    .select(['page as row', 'content'])
    .where('checkId', '=', id)
    .where('part', '=', list)
    .orderBy('page')

export async function listRows<List extends PreviewList>(
  db: Db,
  id: string,
  list: List,
  page: number,
): Promise<PreviewRows[List]> {
  const rows = await selectRows(db, id, list)
    .limit(PREVIEW_PAGE_SIZE)
    .offset((page - 1) * PREVIEW_PAGE_SIZE)
    .execute()
  return rows.map((row) => JSON.parse(row.content)) as PreviewRows[List]
}

export async function* eachRows<List extends PreviewList>(
  db: Db | Tx,
  id: string,
  list: List,
): AsyncGenerator<PreviewRows[List]> {
  for (let last = 0; ;) {
    const rows = await selectRows(db, id, list).where('page', '>', last).limit(BATCH_SIZE).execute()
    if (rows.length > 0) yield rows.map((row) => JSON.parse(row.content)) as PreviewRows[List]
    if (rows.length < BATCH_SIZE) return
    last = rows.at(-1)!.row
  }
}
