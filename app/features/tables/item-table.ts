/** The table of items: its columns, and how an item is written in them (decision 021). */
import { decimalAmount, type Discount } from '#app/features/money/money.ts'

export const itemColumns = [
  'id',
  'name',
  'category',
  'price',
  'description',
  'width',
  'soleType',
  'size',
  'discountType',
  'discountValue',
  'pictures',
] as const
export type ItemColumn = (typeof itemColumns)[number]

/** What stands in the first row. */
export const columnTitles: Record<ItemColumn, string> = {
  id: 'id',
  name: 'name',
  category: 'category',
  price: 'price',
  description: 'description',
  width: 'width',
  soleType: 'soleType',
  size: 'size',
  discountType: 'discount type',
  discountValue: 'discount value',
  pictures: 'pictures',
}

/** For the page: what an owner must know about a column. */
export const columnHints: Record<ItemColumn, string> = {
  id: 'Leave it as it is. Empty: a new item.',
  name: 'At most 200 characters.',
  category: 'The title of one of your categories.',
  price: 'In dollars, such as 12.50 or 12,50.',
  description: 'May have several lines.',
  width: 'Optional.',
  soleType: 'Optional.',
  size: 'Optional.',
  discountType: 'percent, amount, or empty.',
  discountValue: 'Such as 10 or 12.50; empty without a discount.',
  pictures: 'Only to look at; pictures are changed in the item’s own form.',
}

/** What the table may change of an item; discount values in hundredths, as everywhere. */
export type ItemValues = {
  name: string
  categoryId: string
  priceCents: number
  description: string
  width: string
  soleType: string
  size: string
  discountType: Discount['type'] | null
  discountValue: number | null
}
export type TableItem = ItemValues & { id: string; pictures: string[] }
export type ItemCells = Partial<Record<ItemColumn, string>>

/** How the file is written: with semicolons goes the decimal comma, as spreadsheets of most of Europe expect. */
export type TableStyle = 'comma' | 'semicolon'
export const delimiterOf: Record<TableStyle, string> = { comma: ',', semicolon: ';' }
export const readStyle = (text: string | null): TableStyle => (text === 'semicolon' ? 'semicolon' : 'comma')

/** An amount in hundredths as a cell; empty where there is none. */
export const amountCell = (hundredths: number | null, style: TableStyle): string =>
  hundredths === null ? '' : decimalAmount(hundredths).replace('.', style === 'semicolon' ? ',' : '.')

export function itemCells(item: TableItem, names: CategoryNames, style: TableStyle): Record<ItemColumn, string> {
  return {
    id: item.id,
    name: item.name,
    category: names.nameOf(item.categoryId),
    price: amountCell(item.priceCents, style),
    description: item.description,
    width: item.width,
    soleType: item.soleType,
    size: item.size,
    discountType: item.discountType ?? '',
    discountValue: amountCell(item.discountValue, style),
    pictures: item.pictures.join(' '),
  }
}

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

export type Header =
  | { ok: true; columns: (ItemColumn | null)[]; missing: ItemColumn[] }
  /** told by name what is wrong with the first row */
  | { ok: false; text: string }

/** 'Sole Type', 'soletype' and 'sole_type' are one column. */
const key = (title: string) => title.toLowerCase().replaceAll(/[\s_-]+/g, '')
const columnOfKey = new Map(itemColumns.map((column) => [key(columnTitles[column]), column]))

/** A row is looked at column by column: a first row of a million columns would keep the shop busy for minutes. */
const MOST_COLUMNS = 200

export function readHeader(row: readonly string[]): Header {
  // Spreadsheets leave empty columns behind, up to all that they have.
  const cells = row.slice(0, row.findLastIndex((cell) => cell.trim() !== '') + 1)
  if (cells.length > MOST_COLUMNS)
    return { ok: false, text: `The first row has ${cells.length} columns; at most ${MOST_COLUMNS} are read.` }
  const columns = cells.map((cell) => columnOfKey.get(key(cell)) ?? null)
  const unknown = cells.filter((cell, at) => columns[at] === null && cell.trim() !== '')
  const known = columns.filter((column) => column !== null)
  const all = itemColumns.map((column) => columnTitles[column]).join(', ')
  if (known.length === 0) return { ok: false, text: `The first row does not name the columns. They are: ${all}.` }
  if (unknown.length > 0) return { ok: false, text: `There is no column ${quoted(unknown)}. The columns are: ${all}.` }
  const doubled = [...new Set(known.filter((column, at) => known.indexOf(column) !== at))]
  if (doubled.length > 0)
    return { ok: false, text: `The file has more than one column ${quoted(doubled.map((one) => columnTitles[one]))}.` }
  if (!known.includes('id'))
    return {
      ok: false,
      text: 'The column “id” is missing. By it the shop knows which item a row is about: download the items again and keep that column.',
    }
  return { ok: true, columns, missing: itemColumns.filter((column) => !known.includes(column)) }
}

const quoted = (titles: readonly string[]) =>
  titles
    .map((title) => `“${title.trim().slice(0, 60)}”`)
    .slice(0, 8)
    .join(', ')
