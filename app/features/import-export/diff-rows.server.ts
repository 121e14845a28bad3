import type { Db } from '#db/schema.ts'
import type { ItemKind, ItemValues } from '#catalog/catalog.ts'
import { itemTextColumns, type ItemFormValues, type ItemTextColumn } from '#catalog/item-fields.ts'
import { recordOf } from '#lib/record-of.ts'
import { parseTypedDiscount } from '#discounts/discount.ts'
import { discountTexts } from '#discounts/texts.ts'
import { pathOfUrl } from '#images/image-upload.ts'
import { isUnused } from '#images/edit-images.server.ts'
import { validateItem } from '#item-editor/item-form.ts'
import type { Currency } from '#lib/text/currency.ts'
import { decimalAmount, discountedPrice, formatMoney, type Discount } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { isStorableText } from '#lib/http/form-data.server.ts'
import { newId15 } from '#lib/text/ids.ts'
import {
  areEqual,
  columns,
  itemChanges,
  itemColumns,
  valuesOf,
  type CategoryNames,
  type ExportedItem,
  type ItemCells,
  type ItemChange,
  type ItemColumn,
} from './item-columns.ts'
import { duplicateId, etsyTexts, importTexts, unknownCategory } from './texts.ts'
import { findNamedCategory, type EtsyListing } from './etsy.ts'
import { findExportedItems } from './export-items.server.ts'
import type { TableRow } from './parse-csv.server.ts'

export type ChangedRow = {
  row: number
  /** A `note` changes nothing; the preview only shows a remark about the row. */
  kind: 'change' | 'add' | 'note'
  id: string
  name: string
  changes: ItemChange[]
  notes: string[]
  /** null for a new item */
  before: ItemValues | null
  after: ItemValues
  /** An existing item keeps its images. */
  imageIds: string[]
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

/** Later rows of the file must not repeat these values. */
export type SeenRows = { ids: Map<string, number>; images: Set<string> }

type DisplayContext = { names: CategoryNames; currency: Currency }

const idOf = (row: TableRow) => row.cells.id?.trim() ?? ''
const urlsIn = (cell = '') => cell.split(/\s+/).filter((url) => url !== '')

export async function diffRows(
  db: Db,
  rows: readonly TableRow[],
  display: DisplayContext,
  seen: SeenRows,
) {
  // PostgreSQL refuses the character U+0000 even in comparisons.
  const ids = rows.map(idOf).filter((id) => id !== '' && isStorableText(id))
  const itemsById = await findExportedItems(db, ids)
  const unusedImages = await findUnusedImages(db, rows)
  const takenNames = await findTakenNames(db, rows)
  const preview: PreviewRows = { changes: [], refused: [] }
  for (const tableRow of rows) {
    const { row, cells, etsy } = tableRow
    const id = idOf(tableRow)
    const item = itemsById.get(id) ?? null
    const paths = [...new Set(id === '' ? urlsIn(cells.images).map(pathOfUrl) : [])]
    const imageIds = paths
      .flatMap((path) => unusedImages.get(path) ?? [])
      .filter((imageId) => !seen.images.has(imageId))
    const diff = etsy
      ? diffListing(tableRow, etsy, display, takenNames)
      : diffWithItem(tableRow, item, display, seen, item ? item.images.length : imageIds.length)
    if (diff.kind === 'refused') {
      preview.refused.push({
        row,
        id: id.slice(0, 60),
        name: (cells.name ?? item?.name ?? '').slice(0, 200),
        column: diff.column && columns[diff.column].title,
        cell: diff.cell,
        text: diff.text,
      })
    } else if (diff.kind !== 'unchanged') {
      for (const imageId of imageIds) seen.images.add(imageId)
      const { values, notes, ...change } = diff
      const leftOut = paths.length - imageIds.length
      if (diff.kind === 'add' && imageIds.length > 0 && leftOut > 0) {
        notes.push(importTexts.imagesLeftOut(leftOut, paths.length))
      }
      preview.changes.push({
        row,
        ...change,
        id: id || newId15(),
        name: (item?.name ?? values.name).slice(0, 200),
        notes,
        before: item && valuesOf(item),
        after: values,
        imageIds,
      })
    }
  }
  return preview
}

async function findUnusedImages(db: Db, rows: readonly TableRow[]) {
  const paths = rows
    .filter((row) => idOf(row) === '')
    .flatMap((row) => urlsIn(row.cells.images).map(pathOfUrl))
  const candidates = [...new Set(paths)]
    .filter((path) => path.startsWith('items/') && isStorableText(path))
    .slice(0, 5000)
  if (candidates.length === 0) return new Map<string, string>()
  const images = await db
    .selectFrom('images')
    .select(['id', 'path'])
    .where('path', 'in', candidates)
    .where(isUnused)
    .execute()
  return new Map(images.map(({ path, id }) => [path, id]))
}

async function findTakenNames(db: Db, rows: readonly TableRow[]) {
  const names = rows.flatMap(({ etsy, cells }) =>
    etsy && cells.name && isStorableText(cells.name) ? [cells.name] : [],
  )
  if (names.length === 0) return new Set<string>()
  const items = await db.selectFrom('items').select('name').where('name', 'in', names).execute()
  return new Set(items.map(({ name }) => name))
}

type RowDiff =
  | { kind: 'refused'; column: ItemColumn | null; cell: string; text: string }
  | { kind: 'unchanged' }
  | (Pick<ChangedRow, 'kind' | 'changes' | 'notes'> & { values: ItemValues })

const refuse = (cells: ItemCells, column: ItemColumn | null, text: string): RowDiff => ({
  kind: 'refused',
  column,
  cell: column ? (cells[column] ?? '').slice(0, 120).toWellFormed() : '',
  text,
})

const unreadableColumn = (cells: ItemCells) =>
  itemColumns.find((column) => !isStorableText(cells[column] ?? ''))

function diffWithItem(
  row: TableRow,
  item: ExportedItem | null,
  display: DisplayContext,
  { ids }: SeenRows,
  images: number,
) {
  const id = idOf(row)
  if (row.refusal) return refuse(row.cells, null, row.refusal)
  const earlierRow = ids.get(id)
  if (id !== '' && earlierRow !== undefined) return refuse(row.cells, 'id', duplicateId(earlierRow))
  ids.set(id, row.row)
  if (id !== '' && !item) return refuse(row.cells, 'id', importTexts.unknownId)
  const diff = diffRow(row.cells, item, display, images)
  const unreadable = unreadableColumn(row.cells)
  const isWritten = diff.kind === 'change' || diff.kind === 'add'
  return isWritten && unreadable ? refuse(row.cells, unreadable, importTexts.unreadable) : diff
}

/**
 * Etsy's file has no ids, so a listing with the name of an item counts as imported before. Several
 * listings of a file may have the same name.
 */
function diffListing(
  row: TableRow,
  etsy: EtsyListing,
  display: DisplayContext,
  takenNames: ReadonlySet<string>,
) {
  const { names, currency } = display
  const { name = '' } = row.cells
  if (row.refusal) return refuse(row.cells, null, row.refusal)
  if (takenNames.has(name)) return refuse(row.cells, 'name', etsyTexts.sameName)
  const namedId = findNamedCategory(`${name} ${etsy.tags}`, names.categories)
  const category = names.nameOf(namedId ?? names.categories.at(-1)?.id ?? '')
  const cells = { ...row.cells, category }
  const unreadable = unreadableColumn(cells)
  if (unreadable) return refuse(cells, unreadable, importTexts.unreadable)
  const diff = diffRow(cells, null, display, 0)
  if (diff.kind === 'add') {
    if (namedId === null) diff.notes.push(etsyTexts.noCategory(category))
    if (etsy.currency !== currency.code) diff.notes.push(etsyTexts.currency(etsy.currency))
    if (etsy.hasImages) diff.notes.push(etsyTexts.images)
  }
  return diff
}

/** Checks a row as the item form does; `storedItem` is null for a new item. [MERCH-22] */
export function diffRow(
  cells: ItemCells,
  storedItem: ExportedItem | null,
  { names, currency }: DisplayContext,
  images: number,
): RowDiff {
  const typed = formValues(cells, storedItem, names)
  const typedDiscount = parseDiscountCells(cells, storedItem)
  const isImagesChanged =
    storedItem &&
    cells.images !== undefined &&
    urlsIn(cells.images).join(' ') !== storedItem.images.join(' ')
  const notes: string[] = isImagesChanged ? [importTexts.imagesStay] : []
  const { price, kind, ...texts } = typed
  const discount = typedDiscount.ok ? typedDiscount.discount : null
  const state = storedItem?.state ?? (images === 0 ? 'draft' : 'listed')
  const values: ItemValues = {
    ...texts,
    // `validateItem` below refuses an unknown kind.
    kind: kind as ItemKind,
    // NaN differs from every stored price, so an invalid price is refused below.
    priceCents: parseMoney(price) ?? (state === 'draft' && price.trim() === '' ? 0 : Number.NaN),
    discountType: discount?.type ?? null,
    discountValue: discount?.value ?? null,
  }
  if (storedItem && typedDiscount.ok && areEqual(storedItem, values)) {
    return notes.length === 0
      ? { kind: 'unchanged' }
      : { kind: 'note', values: valuesOf(storedItem), changes: [], notes }
  }

  const invalid = validateItem(typed, images, state)
  if (invalid) {
    const column = invalid.field === 'categoryId' ? 'category' : invalid.field
    const hint = validationHint(column, cells)
    return refuse(cells, column, hint ? `${invalid.error}: ${hint}` : invalid.error)
  }
  if (!typedDiscount.ok) return refuse(cells, typedDiscount.column, typedDiscount.text)

  if (values.priceCents > 0 && discountedPrice(values.priceCents, discount) === 0) {
    notes.push(importTexts.costsNothing(formatMoney(0, currency)))
  }
  if (storedItem === null && state === 'draft') notes.push(importTexts.newDraft)
  return {
    kind: storedItem === null ? 'add' : 'change',
    values,
    changes: itemChanges(storedItem, values, names, currency),
    notes,
  }
}

function validationHint(column: ItemColumn, { category }: ItemCells) {
  if (column === 'category' && category?.trim()) return unknownCategory(category)
  return column === 'price' ? importTexts.priceExample : null
}

const withPlainNewlines = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

function formValues(
  cells: ItemCells,
  storedItem: ExportedItem | null,
  names: CategoryNames,
): ItemFormValues {
  const textOf = (column: ItemTextColumn) => {
    const before = storedItem?.[column] ?? ''
    const cell = cells[column] ?? before
    // Spreadsheets change the line breaks of texts.
    return withPlainNewlines(cell) === withPlainNewlines(before) ? before : cell.trim()
  }
  const categoryId =
    cells.category === undefined
      ? (storedItem?.categoryId ?? '')
      : (names.idOf(cells.category) ?? '')
  return {
    ...recordOf(itemTextColumns, textOf),
    categoryId,
    kind: (cells.kind ?? storedItem?.kind ?? '').trim().toLowerCase(),
    price: cells.price ?? (storedItem ? decimalAmount(storedItem.priceCents) : ''),
  }
}

type DiscountCells =
  | { ok: true; discount: Discount | null }
  | { ok: false; column: 'discountType' | 'discountValue'; text: string }
const discountTypes = new Map<string, Discount['type']>([
  ['percent', 'percent'],
  ['%', 'percent'],
  ['amount', 'amount'],
  ['$', 'amount'],
])

function parseDiscountCells(cells: ItemCells, storedItem: ExportedItem | null): DiscountCells {
  const storedValue = storedItem?.discountValue ? decimalAmount(storedItem.discountValue) : ''
  const typeText = (cells.discountType ?? storedItem?.discountType ?? '').trim().toLowerCase()
  const valueText = (cells.discountValue ?? storedValue).trim()
  if (typeText === '' && valueText === '') return { ok: true, discount: null }
  const type = discountTypes.get(typeText)
  if (!type) return { ok: false, column: 'discountType', text: importTexts.noDiscountType }
  const typed = parseTypedDiscount(type, valueText)
  if (typed.ok) return typed
  const invalid = discountTexts.invalidValue(valueText.slice(0, 100), type)
  const text =
    typed.refusal === 'above-maximum'
      ? discountTexts.aboveMaximum
      : `${invalid}: ${importTexts.numberExample}`
  return { ok: false, column: 'discountValue', text }
}
