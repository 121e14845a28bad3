/** The table of items: its columns, how an item is written in them, what a change of one looks like, and what the page says (021). */
import { itemValueColumns, type ItemTextColumn, type ItemValues } from '#app/features/catalog/catalog.ts'
import { amountCell, discountTag, formatMoney, readDiscount } from '#app/features/pricing/money.ts'
import type { TableStyle } from '#app/lib/csv.ts'
import { countText } from '#app/ui/amounts.ts'

export type TableItem = ItemValues & { id: string; pictures: string[] }

type Column = {
  /** what stands in the first row */
  title: string
  /** what an owner must know about it */
  hint: string
  cell: (item: TableItem, names: CategoryNames, style: TableStyle) => string
  /** for people who read what a row changes; missing where the table changes nothing */
  shown?: (item: ItemValues, names: CategoryNames) => string
  /** what a change is called, where that is not the title */
  change?: string
}

const text = (title: ItemTextColumn, hint: string): Column => ({ title, hint, cell: (item) => item[title], shown: (item) => item[title] })
const discountText = (item: ItemValues): string => {
  const discount = readDiscount(item)
  return discount ? discountTag(discount) : ''
}

const inOrder = {
  id: { title: 'id', hint: 'Leave it as it is. Empty: a new item.', cell: (item) => item.id },
  name: text('name', 'At most 200 characters.'),
  category: {
    title: 'category',
    hint: 'The title of one of your categories.',
    cell: (item, names) => names.nameOf(item.categoryId),
    shown: (item, names) => names.nameOf(item.categoryId),
  },
  price: {
    title: 'price',
    hint: 'In dollars, such as 12.50 or 12,50.',
    cell: (item, _, style) => amountCell(item.priceCents, style),
    shown: (item) => formatMoney(item.priceCents),
  },
  description: text('description', 'May have several lines.'),
  width: text('width', 'Optional.'),
  soleType: text('soleType', 'Optional.'),
  size: text('size', 'Optional.'),
  discountType: { title: 'discount type', hint: 'percent, amount, or empty.', cell: (item) => item.discountType ?? '' },
  discountValue: {
    title: 'discount value',
    hint: 'Such as 10 or 12.50; empty without a discount.',
    cell: (item, _, style) => amountCell(item.discountValue, style),
    shown: discountText,
    // The two columns of a discount are one change.
    change: 'discount',
  },
  pictures: {
    title: 'pictures',
    hint: 'Only to look at; pictures are changed in the item’s own form.',
    cell: (item) => item.pictures.join(' '),
  },
} satisfies Record<string, Column>

export type ItemColumn = keyof typeof inOrder
export const columns: Record<ItemColumn, Column> = inOrder
export const itemColumns = Object.keys(columns) as ItemColumn[]
export const changeTitles = Object.values(columns).map(({ change, title }) => change ?? title)

export type ItemCells = Partial<Record<ItemColumn, string>>
export const itemCells = (item: TableItem, names: CategoryNames, style: TableStyle) =>
  Object.fromEntries(itemColumns.map((column) => [column, columns[column].cell(item, names, style)])) as Record<ItemColumn, string>

export const valuesOf = (item: ItemValues): ItemValues =>
  Object.fromEntries(itemValueColumns.map((column) => [column, item[column]])) as ItemValues
export const areSame = (one: ItemValues, other: ItemValues, compared: readonly (keyof ItemValues)[] = itemValueColumns): boolean =>
  compared.every((column) => one[column] === other[column])

export type CategoryNames = {
  /** what stands in the cell */
  nameOf: (id: string) => string
  /** null: there is no such category, or several */
  idOf: (cell: string) => string | null
}

const plain = (text: string) => text.trim().toLowerCase()

/** A category is called by its title; where titles are doubled, by title and id. */
export function categoryNames(categories: readonly { id: string; title: string }[]): CategoryNames {
  const long = ({ id, title }: { id: string; title: string }) => `${title} (${id})`.trim()
  const isAlone = (one: { id: string; title: string }) =>
    one.title.trim() !== '' &&
    categories.every((other) => other === one || (plain(other.title) !== plain(one.title) && plain(long(other)) !== plain(one.title)))
  const names = new Map(categories.map((one) => [one.id, isAlone(one) ? one.title : long(one)]))
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  const plainIds = new Map([...names].map(([id, name]) => [plain(name), id]))
  return { nameOf: (id) => names.get(id) ?? id, idOf: (cell) => ids.get(cell) ?? plainIds.get(plain(cell)) ?? null }
}

/** One changed column, as people read it. */
export type Change = { column: string; before: string; after: string }

/** "price: $45.00 → $48.00"; of a new item everything that is not empty. */
export const changesOf = (before: ItemValues | null, after: ItemValues, names: CategoryNames): Change[] =>
  Object.values(columns).flatMap(({ title, change, shown }) => {
    if (!shown) return []
    const [was, is] = [before ? shown(before, names) : '', shown(after, names)]
    return was === is ? [] : [{ column: change ?? title, ...fromTheDifference(was, is) }]
  })

const CONTEXT = 30
const LONGEST = 180

/** Two long texts are shown from shortly before where they begin to differ. */
export function fromTheDifference(before: string, after: string): { before: string; after: string } {
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const start = Math.max(before.length, after.length) > LONGEST && same > CONTEXT ? same - CONTEXT : 0
  const cut = (text: string) =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + LONGEST)}${text.length > start + LONGEST ? '…' : ''}`.toWellFormed()
  return { before: cut(before), after: cut(after) }
}

/** CSV of 100,000 items with short descriptions; the form around it needs little more. */
export const MAX_TABLE_BYTES = 32 * 1024 * 1024
/** Twice the rows of that catalog. */
export const MAX_ROWS = 200_000

export const tableTexts = {
  noFile: 'Please choose a file',
  empty: 'This file is empty',
  noRows: 'This file has a first row with the names of the columns, and nothing below it',
  noIdColumn: 'The column “id” is missing. By it the shop knows which item a row is about: download the items again and keep that column.',
  tooLarge: `This file is larger than ${MAX_TABLE_BYTES / 1024 / 1024} MB`,
  tooMany: `A file may have at most ${MAX_ROWS.toLocaleString('en-US')} rows; divide it into several`,
  notText: 'This is not a table but some other kind of file',
  workbook: 'This is an Excel workbook. In Excel choose “Save As” and “CSV UTF-8”, and upload that file',
  failed: 'The file could not be checked. Nothing has been changed',
  applyFailed: 'The changes could not be written. Nothing has been changed; please try again',
  gone: 'That check is no longer kept. Please upload the file again',
  nothingToApply: 'There is nothing to change',
  again: 'These changes were already made; nothing was done twice',
  picturesStay: 'Pictures stay as they are: they are changed in the item’s own form',
  costsNothing: 'With its discount this costs $0.00',
  noDiscountType: 'Please write percent or amount',
  unknownId: 'There is no item with this id. For a new item leave the id empty',
  unreadable: 'Some of the characters could not be read',
  changedMeanwhile: 'The item was changed meanwhile',
  goneMeanwhile: 'The item was deleted meanwhile',
  categoryGone: 'Its category was deleted meanwhile',
  picturesGone: 'Its pictures are no longer free',
} as const

export const notices = {
  windows: 'The file is not UTF-8. It was read as Windows-1252, as Excel writes plain CSV: see whether letters such as é are right.',
  utf16: 'The file was read as UTF-16.',
} as const

export const doubledId = (row: number): string => `This id stands already in row ${row}`
export const wrongWidth = (cells: number, columns: number): string => `This row has ${countText(cells, 'cell')}, the first row ${columns}`
export const unknownCategory = (cell: string): string => `There is no category “${cell.slice(0, 60)}”`

/** What the reader of CSV found broken, with the line of the file. */
export function brokenText(code: string, line: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `Line ${line}: a quotation mark is opened and never closed`
  if (code === 'CSV_MAX_RECORD_SIZE') return `Line ${line}: this row has no end; perhaps a quotation mark is missing`
  if (code === 'INVALID_OPENING_QUOTE') return `Line ${line}: a quotation mark stands in the middle of a cell`
  if (code === 'CSV_INVALID_CLOSING_QUOTE') return `Line ${line}: something stands behind the quotation mark that ends a cell`
  return `Line ${line}: this row could not be read`
}

/** Shown after the changes were written. */
export const appliedText = (updated: number, added: number): string =>
  updated + added === 0
    ? 'Nothing was changed'
    : `${[updated > 0 && `${countText(updated, 'item')} updated`, added > 0 && `${countText(added, 'item')} added`].filter(Boolean).join(', ')}`

export const kindNames = { change: 'Changed', add: 'New', note: 'Note', refused: 'Refused' } as const
