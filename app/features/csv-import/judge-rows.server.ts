/** Compares rows of an uploaded table with the items that they name: what each would change, or why it is refused. */
import type { Db } from '#db/schema.ts'
import { itemTextColumns, type ItemTextColumn, type ItemValues } from '#app/features/catalog/catalog.ts'
import { readTypedDiscount, refusedValue } from '#app/features/discounts/discount-texts.ts'
import { pathOfUrl } from '#app/features/images/picture-upload.ts'
import { isUnused } from '#app/features/images/edit-pictures.server.ts'
import { refuseItem, type TypedItem } from '#app/features/item-editor/item-input.ts'
import { decimalAmount, discountedPrice, parseMoney, type Discount } from '#app/features/pricing/money.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { areSame, changesOf, columns, doubledId, itemColumns, tableTexts, unknownCategory, valuesOf } from './item-table.ts'
import type { CategoryNames, Change, ItemCells, ItemColumn, TableItem } from './item-table.ts'
import { findTableItems } from './items-table.server.ts'
import type { TableRow } from './read-table.server.ts'
import type { Found } from './table-checks.server.ts'

/** What earlier rows of the file have spoken for. */
export type Seen = { ids: Map<string, number>; pictures: Set<string> }

const idOf = (row: TableRow): string => row.cells.id?.trim() ?? ''
/** Urls one after the other, in any spacing. */
const urlsIn = (cell = ''): string[] => cell.split(/\s+/).filter((url) => url !== '')

/** Judges a part of the file against the items as they are now. */
export async function judgePart(db: Db, rows: readonly TableRow[], names: CategoryNames, seen: Seen): Promise<Found> {
  // PostgreSQL takes no zero byte, not even to look for it.
  const ids = rows.map(idOf).filter((id) => id !== '' && isReadable(id))
  const stored = await findTableItems(db, ids)
  const unused = await findUnusedPictures(db, rows)
  const found: Found = { changes: [], refused: [] }
  for (const row of rows) {
    const id = idOf(row)
    const item = stored.get(id) ?? null
    const paths = id === '' ? urlsIn(row.cells.pictures).map(pathOfUrl) : []
    const pictureIds = [...new Set(paths.flatMap((path) => unused.get(path) ?? []))].filter((picture) => !seen.pictures.has(picture))
    const judged = judgeOne(row, item, names, seen, item ? item.pictures.length : pictureIds.length)
    if (judged.kind === 'refused') {
      const name = (row.cells.name ?? item?.name ?? '').slice(0, 200)
      const column = judged.column && columns[judged.column].title
      found.refused.push({ row: row.row, id: id.slice(0, 60), name, column, cell: judged.cell, text: judged.text })
    } else if (judged.kind !== 'unchanged') {
      for (const picture of pictureIds) seen.pictures.add(picture)
      const { kind, values, changes, notes } = judged
      const name = (item?.name ?? values.name).slice(0, 200)
      const [before, after] = [item && valuesOf(item), valuesOf(values)]
      found.changes.push({ row: row.row, kind, id: id || newId15(), name, changes, notes, before, after, pictureIds })
    }
  }
  return found
}

/** Ids of pictures that were uploaded for items and hang nowhere yet, by their path. */
async function findUnusedPictures(db: Db, rows: readonly TableRow[]): Promise<Map<string, string>> {
  const paths = rows.filter((row) => idOf(row) === '').flatMap((row) => urlsIn(row.cells.pictures).map(pathOfUrl))
  const sought = [...new Set(paths)].filter((path) => path.startsWith('items/') && isReadable(path)).slice(0, 5000)
  if (sought.length === 0) return new Map()
  const found = await db.selectFrom('pictures').select(['id', 'path']).where('path', 'in', sought).where(isUnused).execute()
  return new Map(found.map(({ path, id }) => [path, id]))
}

type Refused = { kind: 'refused'; column: ItemColumn | null; cell: string; text: string }
export type Judged =
  | Refused
  | { kind: 'unchanged' }
  /** note: nothing to write, but something to tell */
  | { kind: 'change' | 'add' | 'note'; values: ItemValues; changes: Change[]; notes: string[] }

const refuse = (cells: ItemCells, column: ItemColumn | null, text: string): Refused => ({
  kind: 'refused',
  column,
  cell: column ? (cells[column] ?? '').slice(0, 120).toWellFormed() : '',
  text,
})

function judgeOne(row: TableRow, item: TableItem | null, names: CategoryNames, { ids }: Seen, images: number): Judged {
  const id = idOf(row)
  if (row.refusal) return refuse(row.cells, null, row.refusal)
  const earlier = ids.get(id)
  if (id !== '' && earlier !== undefined) return refuse(row.cells, 'id', doubledId(earlier))
  ids.set(id, row.row)
  if (id !== '' && !item) return refuse(row.cells, 'id', tableTexts.unknownId)
  const judged = judgeRow(row.cells, item, names, images)
  const unreadable = itemColumns.find((column) => !isReadable(row.cells[column] ?? ''))
  const isWritten = judged.kind === 'change' || judged.kind === 'add'
  return isWritten && unreadable ? refuse(row.cells, unreadable, tableTexts.unreadable) : judged
}

/** `stored` null: a new item; `images`: how many pictures it has or would get. The checks are those of the form, in its order (MERCH-22). */
export function judgeRow(cells: ItemCells, stored: TableItem | null, names: CategoryNames, images: number): Judged {
  const typed = typedOf(cells, stored, names)
  const discount = readDiscountCells(
    cells.discountType ?? stored?.discountType ?? '',
    cells.discountValue ?? (stored?.discountValue ? decimalAmount(stored.discountValue) : ''),
  )
  const isPicturesChanged = stored && cells.pictures !== undefined && urlsIn(cells.pictures).join(' ') !== stored.pictures.join(' ')
  const notes: string[] = isPicturesChanged ? [tableTexts.picturesStay] : []
  const { price, ...texts } = typed
  const [discountType, discountValue] = discount.ok && discount.discount ? [discount.discount.type, discount.discount.value] : [null, null]
  // NaN equals no price: such a row is refused.
  const values: ItemValues = { ...texts, priceCents: parseMoney(price) ?? Number.NaN, discountType, discountValue }
  if (stored && discount.ok && areSame(stored, values))
    return notes.length === 0 ? { kind: 'unchanged' } : { kind: 'note', values: stored, changes: [], notes }

  const refused = refuseItem(typed, images)
  if (refused) {
    const column = refused.field === 'categoryId' ? 'category' : refused.field === 'images' ? 'pictures' : refused.field
    const isUnknown = column === 'category' && cells.category?.trim()
    return refuse(cells, column, isUnknown ? `${refused.error}: ${unknownCategory(cells.category!)}` : refused.error)
  }
  if (!discount.ok) return refuse(cells, discount.column, discount.text)

  if (discountedPrice(values.priceCents, discount.discount) === 0) notes.push(tableTexts.costsNothing)
  return { kind: stored === null ? 'add' : 'change', values, changes: changesOf(stored, values, names), notes }
}

const oneEnding = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

/** The row as the form would send it; a column that the file leaves out stays as it is. */
function typedOf(cells: ItemCells, stored: TableItem | null, names: CategoryNames): TypedItem {
  const textOf = (column: ItemTextColumn) => {
    const before = stored?.[column] ?? ''
    const cell = cells[column] ?? before
    // Spreadsheets write line breaks in their own way: that alone changes nothing.
    return oneEnding(cell) === oneEnding(before) ? before : cell.trim()
  }
  const texts = Object.fromEntries(itemTextColumns.map((column) => [column, textOf(column)])) as Record<ItemTextColumn, string>
  const categoryId = cells.category === undefined ? (stored?.categoryId ?? '') : (names.idOf(cells.category) ?? '')
  return { ...texts, categoryId, price: cells.price ?? (stored ? decimalAmount(stored.priceCents) : '') }
}

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
