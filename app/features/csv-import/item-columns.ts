/** Defines how each column of the CSV file is named, read, written and compared. */
import {
  itemValueColumns,
  type ItemState,
  type ItemTextColumn,
  type ItemValues,
} from '#app/features/catalog/catalog.ts'
import { amountCell, discountTag, formatMoney, readDiscount } from '#app/features/pricing/money.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import type { TableStyle } from '#app/lib/text/csv.ts'
import { findNamedCategory } from './etsy.ts'
import { columnHints } from './texts.ts'

export type ExportedItem = ItemValues & { id: string; state: ItemState; pictures: string[] }

type Column = {
  /** The header of the column in the CSV file. */
  title: string
  /** An explanation of the column, which the owner reads. */
  hint: string
  cell: (item: ExportedItem, names: CategoryNames, style: TableStyle) => string
  /** Returns the value as the preview of an import displays it; missing if an import cannot change the column. */
  shown?: (item: ItemValues, names: CategoryNames, currency: Currency) => string
  /** The name of the column in the list of changes; missing if this name is the title of the column. */
  change?: string
}

const text = (title: ItemTextColumn): Column => ({
  title,
  hint: columnHints[title],
  cell: (item) => item[title],
  shown: (item) => item[title],
})
const discountText = (item: ItemValues, _: CategoryNames, currency: Currency): string => {
  const discount = readDiscount(item)
  return discount ? discountTag(discount, currency) : ''
}

const columnDefinitions = {
  id: { title: 'id', hint: columnHints.id, cell: (item) => item.id },
  name: text('name'),
  category: {
    title: 'category',
    hint: columnHints.category,
    cell: (item, names) => names.nameOf(item.categoryId),
    shown: (item, names) => names.nameOf(item.categoryId),
  },
  price: {
    title: 'price',
    hint: columnHints.price,
    cell: (item, _, style) => amountCell(item.priceCents, style),
    shown: (item, _, currency) => formatMoney(item.priceCents, currency),
  },
  description: text('description'),
  width: text('width'),
  soleType: text('soleType'),
  size: text('size'),
  discountType: {
    title: 'discount type',
    hint: columnHints.discountType,
    cell: (item) => item.discountType ?? '',
  },
  discountValue: {
    title: 'discount value',
    hint: columnHints.discountValue,
    cell: (item, _, style) => amountCell(item.discountValue, style),
    shown: discountText,
    // The list of changes shows the type and the value of a discount together under this name.
    change: 'discount',
  },
  pictures: {
    title: 'pictures',
    hint: columnHints.pictures,
    cell: (item) => item.pictures.join(' '),
  },
  kind: {
    title: 'kind',
    hint: columnHints.kind,
    cell: (item) => item.kind,
    shown: (item) => item.kind,
  },
} satisfies Record<string, Column>

export type ItemColumn = keyof typeof columnDefinitions
export const columns: Record<ItemColumn, Column> = columnDefinitions
export const itemColumns = Object.keys(columns) as ItemColumn[]
export const changeTitles = Object.values(columns).map(({ change, title }) => change ?? title)

export type ItemCells = Partial<Record<ItemColumn, string>>
export const itemCells = (item: ExportedItem, names: CategoryNames, style: TableStyle) =>
  Object.fromEntries(
    itemColumns.map((column) => [column, columns[column].cell(item, names, style)]),
  ) as Record<ItemColumn, string>

export const valuesOf = (item: ItemValues): ItemValues =>
  Object.fromEntries(itemValueColumns.map((column) => [column, item[column]])) as ItemValues
export const areEqual = (
  one: ItemValues,
  other: ItemValues,
  compared: readonly (keyof ItemValues)[] = itemValueColumns,
): boolean => compared.every((column) => one[column] === other[column])

export type CategoryNames = {
  /** Returns the text that a cell of the column "category" contains for the category with this id. */
  nameOf: (id: string) => string
  /** Returns the id of the category that a cell names. Returns null if the cell names no category or more than one category. */
  idOf: (cell: string) => string | null
  /** Returns the category that findNamedCategory finds in the text. If findNamedCategory finds no category, returns the last category. */
  guess: (text: string) => { id: string; isNamed: boolean }
}

const normalized = (text: string) => text.trim().toLowerCase()

/** The file names a category by its title. If several categories have the same title, the id of the category follows the title. */
export function categoryNames(categories: readonly { id: string; title: string }[]): CategoryNames {
  const long = ({ id, title }: { id: string; title: string }) => `${title} (${id})`.trim()
  const isAlone = (one: { id: string; title: string }) =>
    one.title.trim() !== '' &&
    categories.every(
      (other) =>
        other === one ||
        (normalized(other.title) !== normalized(one.title) &&
          normalized(long(other)) !== normalized(one.title)),
    )
  const names = new Map(categories.map((one) => [one.id, isAlone(one) ? one.title : long(one)]))
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  const plainIds = new Map([...names].map(([id, name]) => [normalized(name), id]))
  return {
    nameOf: (id) => names.get(id) ?? id,
    idOf: (cell) => ids.get(cell) ?? plainIds.get(normalized(cell)) ?? null,
    guess(text) {
      const named = findNamedCategory(text, categories)
      return { id: named ?? categories.at(-1)?.id ?? '', isNamed: named !== null }
    },
  }
}

export type ItemChange = { column: string; before: string; after: string }

/** The input of `itemChanges`, which lists changes such as "price: $45.00 → $48.00". For a new item, the list contains all values that are not empty. */
type ShownChange = {
  before: ItemValues | null
  after: ItemValues
  names: CategoryNames
  currency: Currency
}
export const itemChanges = ({ before, after, names, currency }: ShownChange): ItemChange[] =>
  Object.values(columns).flatMap(({ title, change, shown }) => {
    if (!shown) return []
    const [was, is] = [before ? shown(before, names, currency) : '', shown(after, names, currency)]
    return was === is ? [] : [{ column: change ?? title, ...aroundDifference(was, is) }]
  })

const CONTEXT_LENGTH = 30
const MAX_LENGTH = 180

/** Shortens two long texts to the words around their first difference. */
function aroundDifference(before: string, after: string): { before: string; after: string } {
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const start =
    Math.max(before.length, after.length) > MAX_LENGTH && same > CONTEXT_LENGTH
      ? same - CONTEXT_LENGTH
      : 0
  const cut = (text: string) =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + MAX_LENGTH)}${text.length > start + MAX_LENGTH ? '…' : ''}`.toWellFormed()
  return { before: cut(before), after: cut(after) }
}

/** The largest CSV file that the shop accepts. It can contain about 100,000 items with short descriptions. */
export const MAX_CSV_BYTES = 32 * 1024 * 1024
export const MAX_ROWS = 200_000
