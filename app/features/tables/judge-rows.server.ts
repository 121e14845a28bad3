/** Rows of an uploaded table against the items that they name: what each would change, or why it is refused. */
import type { Db } from '#db/tables.ts'
import { pathOfUrl } from '#app/features/uploads/picture-upload.ts'
import { isUnused } from '#app/features/uploads/used-pictures.server.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { refusedLine, type ChangeLine, type RefusedLine } from './import-plan.ts'
import { judgeRow, urlsIn, type Judged, type Refusal } from './item-row.ts'
import { columnTitles, itemColumns, type CategoryNames, type TableItem } from './item-table.ts'
import { findTableItems } from './items-table.server.ts'
import type { TableRow } from './read-table.server.ts'
import { doubledId, tableTexts, unknownCategory } from './table-texts.ts'

/** What earlier rows of the file have spoken for. */
export type Seen = { ids: Map<string, number>; pictures: Set<string> }
export type Found = { changes: ChangeLine[]; refused: RefusedLine[] }

/** A part of the file against the items as they are now. */
export async function judgePart(db: Db, rows: readonly TableRow[], names: CategoryNames, seen: Seen): Promise<Found> {
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
  const rows = await db.selectFrom('pictures').select(['id', 'path']).where('path', 'in', sought).where(isUnused).execute()
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
