/** Compares the rows of a CSV file with the stored items, and returns what each row would change or why it is refused. */
import type { Db } from '#db/schema.ts'
import {
  type ItemKind,
  itemTextColumns,
  type ItemTextColumn,
  type ItemValues,
} from '#app/features/catalog/catalog.ts'
import { parseTypedDiscount } from '#app/features/discounts/discount.ts'
import { discountTexts } from '#app/features/discounts/texts.ts'
import { pathOfUrl } from '#app/features/images/image-upload.ts'
import { isUnused } from '#app/features/images/edit-images.server.ts'
import { validateItem, type ItemFormValues } from '#app/features/item-editor/item-form.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import {
  decimalAmount,
  discountedPrice,
  formatMoney,
  parseMoney,
  type Discount,
} from '#app/features/pricing/money.ts'
import { isStorableText } from '#app/lib/http/form-data.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { areEqual, itemChanges, columns, itemColumns, valuesOf } from './item-columns.ts'
import { duplicateId, etsyTexts, importTexts, unknownCategory } from './texts.ts'
import type { EtsyListing } from './etsy.ts'
import type {
  CategoryNames,
  ItemChange,
  ItemCells,
  ItemColumn,
  ExportedItem,
} from './item-columns.ts'
import { findExportedItems } from './export-items.server.ts'
import type { TableRow } from './parse-csv.server.ts'
import type { PreviewRows } from './import-preview-store.server.ts'

/** The ids, images and Etsy names in earlier rows of the file, because a later row must not repeat them. */
export type SeenRows = { ids: Map<string, number>; pictures: Set<string>; etsyNames: Set<string> }

/** The category names and the currency that the preview shows. */
type DisplayContext = { names: CategoryNames; currency: Currency }

const idOf = (row: TableRow): string => row.cells.id?.trim() ?? ''
const urlsIn = (cell = ''): string[] => cell.split(/\s+/).filter((url) => url !== '')

export async function diffRows(
  db: Db,
  rows: readonly TableRow[],
  { names, currency }: DisplayContext,
  seen: SeenRows,
): Promise<PreviewRows> {
  // Leaves out ids with the character U+0000, because PostgreSQL refuses this character even in comparisons.
  const ids = rows.map(idOf).filter((id) => id !== '' && isStorableText(id))
  const stored = await findExportedItems(db, ids)
  const unused = await findUnusedPictures(db, rows)
  const taken = await findTakenNames(db, rows)
  const found: PreviewRows = { changes: [], refused: [] }
  for (const row of rows) {
    const id = idOf(row)
    const item = stored.get(id) ?? null
    const paths = [...new Set(id === '' ? urlsIn(row.cells.pictures).map(pathOfUrl) : [])]
    const pictureIds = paths
      .flatMap((path) => unused.get(path) ?? [])
      .filter((picture) => !seen.pictures.has(picture))
    const judged = row.etsy
      ? diffListing(row, row.etsy, { names, currency }, seen, taken)
      : diffWithItem(
          row,
          item,
          { names, currency },
          seen,
          item ? item.pictures.length : pictureIds.length,
        )
    if (judged.kind === 'refused') {
      const name = (row.cells.name ?? item?.name ?? '').slice(0, 200)
      const column = judged.column && columns[judged.column].title
      found.refused.push({
        row: row.row,
        id: id.slice(0, 60),
        name,
        column,
        cell: judged.cell,
        text: judged.text,
      })
    } else if (judged.kind !== 'unchanged') {
      for (const picture of pictureIds) seen.pictures.add(picture)
      const { kind, values, changes, notes } = judged
      const leftOut = paths.length - pictureIds.length
      if (kind === 'add' && pictureIds.length > 0 && leftOut > 0)
        notes.push(importTexts.picturesLeftOut(leftOut, paths.length))
      const name = (item?.name ?? values.name).slice(0, 200)
      const [before, after] = [item && valuesOf(item), valuesOf(values)]
      found.changes.push({
        row: row.row,
        kind,
        id: id || newId15(),
        name,
        changes,
        notes,
        before,
        after,
        pictureIds,
      })
    }
  }
  return found
}

/** Returns the ids of the uploaded item images that no record uses. The keys of the map are the paths of the images. */
async function findUnusedPictures(db: Db, rows: readonly TableRow[]): Promise<Map<string, string>> {
  const paths = rows
    .filter((row) => idOf(row) === '')
    .flatMap((row) => urlsIn(row.cells.pictures).map(pathOfUrl))
  const candidates = [...new Set(paths)]
    .filter((path) => path.startsWith('items/') && isStorableText(path))
    .slice(0, 5000)
  if (candidates.length === 0) return new Map()
  const found = await db
    .selectFrom('pictures')
    .select(['id', 'path'])
    .where('path', 'in', candidates)
    .where(isUnused)
    .execute()
  return new Map(found.map(({ path, id }) => [path, id]))
}

type RefusedRow = { kind: 'refused'; column: ItemColumn | null; cell: string; text: string }
type RowDiff =
  | RefusedRow
  | { kind: 'unchanged' }
  /** With the kind `note`, the row changes nothing, but the preview shows a remark about the row. */
  | { kind: 'change' | 'add' | 'note'; values: ItemValues; changes: ItemChange[]; notes: string[] }

const refuse = (cells: ItemCells, column: ItemColumn | null, text: string): RefusedRow => ({
  kind: 'refused',
  column,
  cell: column ? (cells[column] ?? '').slice(0, 120).toWellFormed() : '',
  text,
})

function diffWithItem(
  row: TableRow,
  item: ExportedItem | null,
  shownAs: DisplayContext,
  { ids }: SeenRows,
  images: number,
): RowDiff {
  const id = idOf(row)
  if (row.refusal) return refuse(row.cells, null, row.refusal)
  const earlier = ids.get(id)
  if (id !== '' && earlier !== undefined) return refuse(row.cells, 'id', duplicateId(earlier))
  ids.set(id, row.row)
  if (id !== '' && !item) return refuse(row.cells, 'id', importTexts.unknownId)
  const judged = diffRow(row.cells, item, shownAs, images)
  const unreadable = itemColumns.find((column) => !isStorableText(row.cells[column] ?? ''))
  const isWritten = judged.kind === 'change' || judged.kind === 'add'
  return isWritten && unreadable ? refuse(row.cells, unreadable, importTexts.unreadable) : judged
}

/** Etsy's file has no ids. Refuses a listing with the name of an existing item, because the listing was probably imported before. */
function diffListing(
  row: TableRow,
  etsy: EtsyListing,
  shownAs: DisplayContext,
  { etsyNames }: SeenRows,
  taken: ReadonlySet<string>,
): RowDiff {
  const { names, currency } = shownAs
  const { name = '' } = row.cells
  if (row.refusal) return refuse(row.cells, null, row.refusal)
  if (name !== '' && (taken.has(name) || etsyNames.has(name)))
    return refuse(row.cells, 'name', etsyTexts.sameName)
  etsyNames.add(name)
  const category = names.guess(`${name} ${etsy.tags}`)
  const cells = { ...row.cells, category: names.nameOf(category.id) }
  const unreadable = itemColumns.find((column) => !isStorableText(cells[column] ?? ''))
  if (unreadable) return refuse(cells, unreadable, importTexts.unreadable)
  const judged = diffRow(cells, null, shownAs, 0)
  if (judged.kind === 'add') {
    if (!category.isNamed) judged.notes.push(etsyTexts.noCategory(cells.category))
    if (etsy.currency !== currency.code) judged.notes.push(etsyTexts.currency(etsy.currency))
    if (etsy.hasPictures) judged.notes.push(etsyTexts.pictures)
  }
  return judged
}

async function findTakenNames(db: Db, rows: readonly TableRow[]): Promise<Set<string>> {
  const typed = rows.flatMap(({ etsy, cells }) =>
    etsy && cells.name && isStorableText(cells.name) ? [cells.name] : [],
  )
  if (typed.length === 0) return new Set()
  const found = await db.selectFrom('items').select('name').where('name', 'in', typed).execute()
  return new Set(found.map(({ name }) => name))
}

/** Checks a row as the item form does. If `stored` is null, the row adds an item. `images` is the item's number of images. [MERCH-22] */
export function diffRow(
  cells: ItemCells,
  stored: ExportedItem | null,
  { names, currency }: DisplayContext,
  images: number,
): RowDiff {
  const typed = formValues(cells, stored, names)
  const discount = parseDiscountCells(
    cells.discountType ?? stored?.discountType ?? '',
    cells.discountValue ?? (stored?.discountValue ? decimalAmount(stored.discountValue) : ''),
  )
  const isPicturesChanged =
    stored &&
    cells.pictures !== undefined &&
    urlsIn(cells.pictures).join(' ') !== stored.pictures.join(' ')
  const notes: string[] = isPicturesChanged ? [importTexts.picturesStay] : []
  // `validateItem` below refuses an unknown kind of item.
  const { price, kind, ...texts } = typed
  const [discountType, discountValue] =
    discount.ok && discount.discount
      ? [discount.discount.type, discount.discount.value]
      : [null, null]
  const state = stored?.state ?? (images === 0 ? 'draft' : 'listed')
  // An invalid price becomes NaN, which differs from every stored price. So the row counts as changed and is checked. A draft may have no price.
  const values: ItemValues = {
    ...texts,
    kind: kind as ItemKind,
    priceCents: parseMoney(price) ?? (state === 'draft' && price.trim() === '' ? 0 : Number.NaN),
    discountType,
    discountValue,
  }
  if (stored && discount.ok && areEqual(stored, values))
    return notes.length === 0
      ? { kind: 'unchanged' }
      : { kind: 'note', values: stored, changes: [], notes }

  const refused = validateItem(typed, images, state)
  if (refused) {
    const column =
      refused.field === 'categoryId'
        ? 'category'
        : refused.field === 'images'
          ? 'pictures'
          : refused.field
    const isUnknown = column === 'category' && cells.category?.trim()
    const more = isUnknown
      ? unknownCategory(cells.category!)
      : column === 'price'
        ? importTexts.priceExample
        : ''
    return refuse(cells, column, more ? `${refused.error}: ${more}` : refused.error)
  }
  if (!discount.ok) return refuse(cells, discount.column, discount.text)

  if (values.priceCents > 0 && discountedPrice(values.priceCents, discount.discount) === 0)
    notes.push(importTexts.costsNothing(formatMoney(0, currency)))
  if (stored === null && state === 'draft') notes.push(importTexts.newDraft)
  return {
    kind: stored === null ? 'add' : 'change',
    values,
    changes: itemChanges({ before: stored, after: values, names, currency }),
    notes,
  }
}

const withPlainNewlines = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

/** If the file lacks a column, the item keeps its stored value for this column. */
function formValues(
  cells: ItemCells,
  stored: ExportedItem | null,
  names: CategoryNames,
): ItemFormValues {
  const textOf = (column: ItemTextColumn) => {
    const before = stored?.[column] ?? ''
    const cell = cells[column] ?? before
    // Ignores different line breaks, because spreadsheets change the line breaks of a text when they save a file.
    return withPlainNewlines(cell) === withPlainNewlines(before) ? before : cell.trim()
  }
  const texts = Object.fromEntries(
    itemTextColumns.map((column) => [column, textOf(column)]),
  ) as Record<ItemTextColumn, string>
  const categoryId =
    cells.category === undefined ? (stored?.categoryId ?? '') : (names.idOf(cells.category) ?? '')
  const kind = (cells.kind ?? stored?.kind ?? '').trim().toLowerCase()
  return {
    ...texts,
    categoryId,
    kind,
    price: cells.price ?? (stored ? decimalAmount(stored.priceCents) : ''),
  }
}

type DiscountCells =
  | { ok: true; discount: Discount | null }
  | { ok: false; column: 'discountType' | 'discountValue'; text: string }
const discountTypes: Record<string, Discount['type']> = {
  percent: 'percent',
  '%': 'percent',
  amount: 'amount',
  $: 'amount',
}

function parseDiscountCells(type: string, value: string): DiscountCells {
  const [typeText, valueText] = [type.trim().toLowerCase(), value.trim()]
  if (typeText === '' && valueText === '') return { ok: true, discount: null }
  const known = Object.hasOwn(discountTypes, typeText) ? discountTypes[typeText] : undefined
  if (!known) return { ok: false, column: 'discountType', text: importTexts.noDiscountType }
  const discount = parseTypedDiscount(known, valueText)
  if (discount) return { ok: true, discount }
  return {
    ok: false,
    column: 'discountValue',
    text: `${discountTexts.invalidValue(valueText.slice(0, 100), known)}: ${importTexts.numberExample}`,
  }
}
