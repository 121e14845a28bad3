import type { ItemState, ItemValues } from '#catalog/catalog.ts'
import { itemValueColumns, optionalItemTexts } from '#catalog/item-fields.ts'
import { recordOf } from '#lib/record-of.ts'
import { amountCell, discountTag, formatMoney, readDiscount } from '#pricing/money.ts'
import type { Currency } from '#lib/text/currency.ts'
import type { TableStyle } from '#lib/text/csv.ts'
import { columnHints } from './texts.ts'

/** A file of this size can contain 100,000 items with short descriptions. */
export const MAX_CSV_BYTES = 32 * 1024 * 1024
export const MAX_ROWS = 200_000

export type ExportedItem = ItemValues & { id: string; state: ItemState; images: string[] }
export type CategoryNames = ReturnType<typeof categoryNames>

type Column = {
  title: string
  hint: string
  cell: (item: ExportedItem, names: CategoryNames, style: TableStyle) => string
  /** An import cannot change a column without `preview`. */
  preview?: (item: ItemValues, names: CategoryNames, currency: Currency) => string
  /** The name in the list of changes, if it differs from the title. */
  change?: string
}

const text = (
  title: string,
  hint: string,
  read: (item: ItemValues, names: CategoryNames) => string,
): Column => ({ title, hint, cell: read, preview: read })

const columnDefinitions = {
  id: { title: 'id', hint: columnHints.id, cell: (item) => item.id },
  name: text('name', columnHints.name, (item) => item.name),
  category: text('category', columnHints.category, (item, names) => names.nameOf(item.categoryId)),
  price: {
    title: 'price',
    hint: columnHints.price,
    cell: (item, _, style) => amountCell(item.priceCents, style),
    preview: (item, _, currency) => formatMoney(item.priceCents, currency),
  },
  description: text('description', columnHints.description, (item) => item.description),
  ...recordOf(optionalItemTexts, (name) =>
    text(name, columnHints.optionalText, (item) => item[name]),
  ),
  discountType: {
    title: 'discount type',
    hint: columnHints.discountType,
    cell: (item) => item.discountType ?? '',
  },
  discountValue: {
    title: 'discount value',
    hint: columnHints.discountValue,
    cell: (item, _, style) => amountCell(item.discountValue, style),
    preview(item, _, currency) {
      const discount = readDiscount(item)
      return discount ? discountTag(discount, currency) : ''
    },
    change: 'discount',
  },
  images: {
    title: 'pictures',
    hint: columnHints.images,
    cell: (item) => item.images.join(' '),
  },
  kind: text('kind', columnHints.kind, (item) => item.kind),
} satisfies Record<string, Column>

export type ItemColumn = keyof typeof columnDefinitions
export const columns: Record<ItemColumn, Column> = columnDefinitions
export const itemColumns = Object.keys(columns) as ItemColumn[]
export const changeTitles = Object.values(columns).map(({ change, title }) => change ?? title)

export type ItemCells = Partial<Record<ItemColumn, string>>
export const itemCells = (item: ExportedItem, names: CategoryNames, style: TableStyle) =>
  recordOf(itemColumns, (column) => columns[column].cell(item, names, style))

export const valuesOf = (item: ItemValues) =>
  recordOf(itemValueColumns, (column) => item[column]) as ItemValues
export const areEqual = (
  left: ItemValues,
  right: ItemValues,
  compared: readonly (keyof ItemValues)[] = itemValueColumns,
) => compared.every((column) => left[column] === right[column])

type NamedCategory = { id: string; title: string }

const normalized = (text: string) => text.trim().toLowerCase()
const longName = ({ id, title }: NamedCategory) => `${title} (${id})`.trim()

/** A cell contains a category's title, and also its id if several categories have this title. */
export function categoryNames(categories: readonly NamedCategory[]) {
  const isUnique = (category: NamedCategory) =>
    category.title.trim() !== '' &&
    categories.every(
      (other) =>
        other === category ||
        ![other.title, longName(other)].map(normalized).includes(normalized(category.title)),
    )
  const names = new Map(
    categories.map((category) => [
      category.id,
      isUnique(category) ? category.title : longName(category),
    ]),
  )
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  const normalizedIds = new Map([...names].map(([id, name]) => [normalized(name), id]))
  return {
    categories,
    nameOf: (id: string) => names.get(id) ?? id,
    /** Returns null if the cell names no category, or several. */
    idOf: (cell: string) => ids.get(cell) ?? normalizedIds.get(normalized(cell)) ?? null,
  }
}

export type ItemChange = { column: string; before: string; after: string }

export const itemChanges = (
  before: ItemValues | null,
  after: ItemValues,
  names: CategoryNames,
  currency: Currency,
) =>
  Object.values(columns).flatMap(({ title, change, preview }): ItemChange[] => {
    if (!preview) return []
    const oldText = before ? preview(before, names, currency) : ''
    const newText = preview(after, names, currency)
    return oldText === newText
      ? []
      : [{ column: change ?? title, ...aroundDifference(oldText, newText) }]
  })

const CONTEXT_LENGTH = 30
const MAX_LENGTH = 180

function aroundDifference(before: string, after: string) {
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const isLong = Math.max(before.length, after.length) > MAX_LENGTH
  const start = isLong ? Math.max(0, same - CONTEXT_LENGTH) : 0
  const cut = (text: string) => {
    const end = start + MAX_LENGTH
    const part = text.slice(start, end)
    return `${start > 0 ? '…' : ''}${part}${text.length > end ? '…' : ''}`.toWellFormed()
  }
  return { before: cut(before), after: cut(after) }
}
