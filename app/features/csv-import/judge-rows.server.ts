/** Rows of an uploaded table against the items that they name: what each would change, or why it is refused. */
import type { Db } from '#db/schema.ts'
import { itemTextColumns, type ItemTextColumn, type ItemValues } from '#app/features/catalog/catalog.ts'
import { readTypedDiscount, refusedValue } from '#app/features/discounts/discount-texts.ts'
import { pathOfUrl } from '#app/features/images/picture-upload.ts'
import { isUnused } from '#app/features/images/edit-pictures.server.ts'
import { refuseItem, type TypedItem } from '#app/features/item-editor/item-input.ts'
import { decimalAmount, discountedPrice, parseMoney, type Discount } from '#app/features/pricing/money.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import {
  areSame,
  changesOf,
  columns,
  itemColumns,
  valuesOf,
  type CategoryNames,
  type Change,
  type ItemCells,
  type ItemColumn,
  type TableItem,
} from './item-table.ts'
import { findTableItems } from './items-table.server.ts'
import type { Found } from './kept-plans.server.ts'
import type { TableRow } from './read-table.server.ts'
import { doubledId, tableTexts, unknownCategory } from './table-texts.ts'

/** What earlier rows of the file have spoken for. */
export type Seen = { ids: Map<string, number>; pictures: Set<string> }

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
      found.refused.push({
        row: row.row,
        id: id.slice(0, 60),
        name: name.slice(0, 200),
        column: judged.column && columns[judged.column].title,
        cell: judged.cell.slice(0, 120).toWellFormed(),
        text: judged.text,
      })
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
      before: item && valuesOf(item),
      after: valuesOf(values),
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

export type Refusal = { column: ItemColumn | null; cell: string; text: string }
export type Judged =
  | { kind: 'unchanged' }
  | ({ kind: 'refused' } & Refusal)
  /** note: nothing to write, but something to tell */
  | { kind: 'change' | 'add' | 'note'; values: ItemValues; changes: Change[]; notes: string[] }

/** `stored` null: a new item; `images`: how many pictures it has or would get. The checks are those of the form, in its order (MERCH-22). */
export function judgeRow(cells: ItemCells, stored: TableItem | null, names: CategoryNames, images: number): Judged {
  const typed = typedOf(cells, stored, names)
  const discount = readDiscountCells(
    cells.discountType ?? stored?.discountType ?? '',
    cells.discountValue ?? (stored?.discountValue ? decimalAmount(stored.discountValue) : ''),
  )
  const notes: string[] =
    stored && cells.pictures !== undefined && urlsIn(cells.pictures).join(' ') !== stored.pictures.join(' ')
      ? [tableTexts.picturesStay]
      : []
  const values = valuesOfRow(typed, stored, discount.ok ? discount.discount : null)
  if (stored && discount.ok && areSame(stored, values))
    return notes.length === 0 ? { kind: 'unchanged' } : { kind: 'note', values: stored, changes: [], notes }

  const refused = refuseItem(typed, images)
  if (refused) {
    const column = refused.field === 'categoryId' ? 'category' : refused.field === 'images' ? 'pictures' : refused.field
    return { kind: 'refused', column, cell: cells[column] ?? '', text: refused.error }
  }
  if (!discount.ok) return { kind: 'refused', column: discount.column, cell: cells[discount.column] ?? '', text: discount.text }

  if (discountedPrice(values.priceCents, discount.discount) === 0) notes.push(tableTexts.costsNothing)
  return { kind: stored === null ? 'add' : 'change', values, changes: changesOf(stored, values, names), notes }
}

const textsOf = (read: (column: ItemTextColumn) => string) =>
  Object.fromEntries(itemTextColumns.map((column) => [column, read(column)])) as Record<ItemTextColumn, string>
const oneEnding = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

/** The row as the form would send it; a column that the file leaves out stays as it is. */
const typedOf = (cells: ItemCells, stored: TableItem | null, names: CategoryNames): TypedItem => ({
  ...textsOf((column) => {
    const before = stored?.[column] ?? ''
    const cell = cells[column] ?? before
    // Spreadsheets write line breaks in their own way: that alone changes nothing.
    return oneEnding(cell) === oneEnding(before) ? before : cell
  }),
  categoryId: cells.category === undefined ? (stored?.categoryId ?? '') : (names.idOf(cells.category) ?? ''),
  price: cells.price ?? (stored ? decimalAmount(stored.priceCents) : ''),
})

const valuesOfRow = (typed: TypedItem, stored: TableItem | null, discount: Discount | null): ItemValues => ({
  // What nobody touched stays to the letter.
  ...textsOf((column) => (typed[column] === stored?.[column] ? typed[column] : typed[column].trim())),
  categoryId: typed.categoryId,
  // Equal to no price: such a row is refused.
  priceCents: parseMoney(typed.price) ?? Number.NaN,
  discountType: discount?.type ?? null,
  discountValue: discount?.value ?? null,
})

type DiscountCells = { ok: true; discount: Discount | null } | { ok: false; column: 'discountType' | 'discountValue'; text: string }
const types: Record<string, Discount['type']> = { percent: 'percent', '%': 'percent', amount: 'amount', $: 'amount' }

function readDiscountCells(type: string, value: string): DiscountCells {
  const [typeText, valueText] = [type.trim().toLowerCase(), value.trim()]
  if (typeText === '' && valueText === '') return { ok: true, discount: null }
  const known = Object.hasOwn(types, typeText) ? types[typeText] : undefined
  if (!known) return { ok: false, column: 'discountType', text: tableTexts.noDiscountType }
  const discount = readTypedDiscount(known, valueText.replace(/\s*%$/, ''))
  if (!discount) return { ok: false, column: 'discountValue', text: refusedValue(valueText.slice(0, 100), known) }
  return { ok: true, discount }
}

/** Urls one after the other, in any spacing. */
const urlsIn = (cell: string): string[] => cell.split(/\s+/).filter((url) => url !== '')
