/** The dry run: reads an uploaded table against the items and keeps what it would change. Writes nothing of the catalogue. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#db/tables.ts'
import { listCategories } from '#app/features/catalog/categories.server.ts'
import { pathOfUrl } from '#app/features/uploads/picture-upload.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { noCounts, refusedLine, type ChangeLine, type Counts, type RefusedLine } from './import-plan.ts'
import { judgeRow, urlsIn, type Judged, type Refusal } from './item-row.ts'
import { categoryNames, columnTitles, itemColumns, type CategoryNames, type TableItem } from './item-table.ts'
import { findTableItems } from './items-table.server.ts'
import { beginPlan, sweepPlans } from './plan-files.server.ts'
import { BrokenTable, openTable, type TableRow } from './read-table.server.ts'
import { doubledId, tableTexts, unknownCategory } from './table-texts.ts'

export type Checked = { ok: true; planId: string } | { ok: false; text: string; status: 422 | 500 }

export async function checkTable(shop: Shop, file: FormDataEntryValue | null): Promise<Checked> {
  if (!(file instanceof File) || (file.size === 0 && file.name === '')) return { ok: false, text: tableTexts.noFile, status: 422 }
  try {
    await sweepPlans(shop)
    const opened = await openTable(file)
    if (!opened.ok) return { ok: false, text: opened.text, status: 422 }
    return await judgeTable(shop, file.name, opened.table)
  } catch (error) {
    if (error instanceof BrokenTable) return { ok: false, text: error.message, status: 422 }
    shop.log.error('a table could not be checked', error)
    return { ok: false, text: tableTexts.failed, status: 500 }
  }
}

type OpenTable = Extract<Awaited<ReturnType<typeof openTable>>, { ok: true }>['table']

async function judgeTable(shop: Shop, fileName: string, table: OpenTable): Promise<Checked> {
  const names = categoryNames(await listCategories(shop.db))
  const writer = await beginPlan(shop)
  try {
    const counts = noCounts()
    const perColumn = new Map<string, number>()
    const seen: Seen = { ids: new Map(), pictures: new Set() }
    for await (const rows of table.rows) {
      const found = await judgePart(shop.db, rows, names, seen)
      count(counts, found, rows.length)
      for (const { kind, changes } of found.changes)
        if (kind === 'change') for (const { column } of changes) perColumn.set(column, (perColumn.get(column) ?? 0) + 1)
      await writer.add('changes', found.changes)
      await writer.add('refused', found.refused)
      await nextTurn()
    }
    if (counts.rows === 0) {
      await writer.drop()
      return { ok: false, text: tableTexts.noRows, status: 422 }
    }
    const order = [...itemColumns.map((column) => columnTitles[column]), 'discount']
    await writer.finish({
      id: writer.id,
      fileName: fileName.slice(0, 120).toWellFormed(),
      at: shop.now(),
      counts,
      columns: order.flatMap((title) => (perColumn.has(title) ? [{ title, count: perColumn.get(title)! }] : [])),
      missing: table.missing.map((column) => columnTitles[column]),
      notice: table.notice,
    })
    return { ok: true, planId: writer.id }
  } catch (error) {
    await writer.drop()
    throw error
  }
}

/** What earlier rows of the file have spoken for. */
type Seen = { ids: Map<string, number>; pictures: Set<string> }
type Found = { changes: ChangeLine[]; refused: RefusedLine[] }

function count(counts: Counts, { changes, refused }: Found, rows: number): void {
  const of = (kind: ChangeLine['kind']) => changes.filter((line) => line.kind === kind).length
  counts.rows += rows
  counts.changed += of('change')
  counts.added += of('add')
  counts.noted += of('note')
  counts.refused += refused.length
  counts.unchanged += rows - changes.length - refused.length
}

async function judgePart(db: Db, rows: readonly TableRow[], names: CategoryNames, seen: Seen): Promise<Found> {
  const idOf = (row: TableRow) => row.cells.id?.trim() ?? ''
  // PostgreSQL takes no zero byte, not even to look for it.
  const stored = await findTableItems(
    db,
    rows.map(idOf).filter((id) => id !== '' && isReadable(id)),
  )
  const free = await findFreePictures(
    db,
    rows.filter((row) => idOf(row) === '').flatMap((row) => pathsOf(row)),
  )
  const found: Found = { changes: [], refused: [] }
  for (const row of rows) {
    const id = idOf(row)
    const item = stored.get(id) ?? null
    const pictureIds = id === '' ? freeOf(row, free, seen.pictures) : []
    const judged = judgeOne(row, id, item, names, seen, pictureIds)
    const name = row.cells.name ?? item?.name ?? ''
    if (judged.kind === 'unchanged') continue
    if (judged.kind === 'refused') {
      found.refused.push(refusedLine(row.row, id, name, judged, judged.column && columnTitles[judged.column]))
      continue
    }
    for (const pictureId of pictureIds) seen.pictures.add(pictureId)
    const { kind, values, changes, notes } = judged
    found.changes.push({
      row: row.row,
      kind,
      // Known before it is written, so that the same plan never adds it twice.
      id: id === '' ? newId15() : id,
      name: (item?.name ?? values.name).slice(0, 200),
      changes,
      notes,
      before: item && valuesOnly(item),
      after: valuesOnly(values),
      pictureIds,
    })
  }
  return found
}

function judgeOne(row: TableRow, id: string, item: TableItem | null, names: CategoryNames, seen: Seen, pictureIds: string[]): Judged {
  const refuse = (text: string, column: Refusal['column'] = null): Judged => ({
    kind: 'refused',
    column,
    cell: column ? (row.cells[column] ?? '') : '',
    text,
  })
  if (row.refusal) return refuse(row.refusal)
  const earlier = seen.ids.get(id)
  if (id !== '' && earlier !== undefined) return refuse(doubledId(earlier), 'id')
  if (id !== '') seen.ids.set(id, row.row)
  if (id !== '' && !item) return refuse(tableTexts.unknownId, 'id')
  const judged = judgeRow(row.cells, item, names, item ? item.pictures.length : pictureIds.length)
  if (judged.kind === 'refused' && judged.column === 'category' && judged.cell.trim() !== '')
    return { ...judged, text: `${judged.text}: ${unknownCategory(judged.cell)}` }
  if (judged.kind === 'change' || judged.kind === 'add') {
    const unreadable = itemColumns.find((column) => !isReadable(row.cells[column] ?? ''))
    if (unreadable) return refuse(tableTexts.unreadable, unreadable)
  }
  return judged
}

const valuesOnly = ({
  name,
  categoryId,
  priceCents,
  description,
  width,
  soleType,
  size,
  discountType,
  discountValue,
}: ChangeLine['after']) => ({
  name,
  categoryId,
  priceCents,
  description,
  width,
  soleType,
  size,
  discountType,
  discountValue,
})

const pathsOf = (row: TableRow) => urlsIn(row.cells.pictures ?? '').map(pathOfUrl)

/** Pictures that were uploaded for items and hang nowhere yet, by their path. */
async function findFreePictures(db: Db, paths: readonly string[]): Promise<Map<string, string>> {
  const sought = [...new Set(paths)].filter((path) => path.startsWith('items/') && isReadable(path)).slice(0, 5000)
  if (sought.length === 0) return new Map()
  const rows = await db
    .selectFrom('pictures')
    .select(['id', 'path'])
    .where('path', 'in', sought)
    .where('id', 'not in', db.selectFrom('itemPictures').select('pictureId'))
    .execute()
  return new Map(rows.map((row) => [row.path, row.id]))
}

const freeOf = (row: TableRow, free: ReadonlyMap<string, string>, taken: ReadonlySet<string>): string[] => [
  ...new Set(
    pathsOf(row)
      .map((path) => free.get(path))
      .filter((id) => id !== undefined)
      .filter((id) => !taken.has(id)),
  ),
]
