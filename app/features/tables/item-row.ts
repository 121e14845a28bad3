/** One row of the table against the item that it names: what it would change, or why it is refused. */
import { readTypedDiscount, refusedValue } from '#app/features/discounts/discount-texts.ts'
import { refuseItem, type TypedItem } from '#app/features/merchandise/item-input.ts'
import { decimalAmount, discountedPrice, parseMoney, type Discount } from '#app/features/money/money.ts'
import { changesOf, type Change } from './item-changes.ts'
import type { CategoryNames, ItemCells, ItemColumn, ItemValues, TableItem } from './item-table.ts'
import { tableTexts } from './table-texts.ts'

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
    stored && cells.pictures !== undefined && !areSame(cells.pictures, stored.pictures) ? [tableTexts.picturesStay] : []
  if (stored && discount.ok && isSame(stored, typed, discount.discount))
    return notes.length === 0 ? { kind: 'unchanged' } : { kind: 'note', values: stored, changes: [], notes }

  const refused = refuseItem(typed, images)
  if (refused) {
    const column = refused.field === 'categoryId' ? 'category' : refused.field === 'images' ? 'pictures' : refused.field
    return { kind: 'refused', column, cell: cells[column] ?? '', text: refused.error }
  }
  if (!discount.ok) return { kind: 'refused', column: discount.column, cell: cells[discount.column] ?? '', text: discount.text }

  const values = valuesOf(typed, stored, discount.discount)
  if (discountedPrice(values.priceCents, discount.discount) === 0) notes.push(tableTexts.costsNothing)
  return { kind: stored === null ? 'add' : 'change', values, changes: changesOf(stored, values, names), notes }
}

const textColumns = ['name', 'description', 'width', 'soleType', 'size'] as const
const oneEnding = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

/** The row as the form would send it; a column that the file leaves out stays as it is. */
function typedOf(cells: ItemCells, stored: TableItem | null, names: CategoryNames): TypedItem {
  const text = (column: (typeof textColumns)[number]) => {
    const before = stored?.[column] ?? ''
    const cell = cells[column] ?? before
    // Spreadsheets write line breaks in their own way: that alone changes nothing.
    return oneEnding(cell) === oneEnding(before) ? before : cell
  }
  return {
    name: text('name'),
    categoryId: cells.category === undefined ? (stored?.categoryId ?? '') : (names.idOf(cells.category) ?? ''),
    price: cells.price ?? (stored ? decimalAmount(stored.priceCents) : ''),
    description: text('description'),
    width: text('width'),
    soleType: text('soleType'),
    size: text('size'),
  }
}

const isSame = (stored: TableItem, typed: TypedItem, discount: Discount | null): boolean =>
  textColumns.every((column) => typed[column] === stored[column]) &&
  typed.categoryId === stored.categoryId &&
  parseMoney(typed.price) === stored.priceCents &&
  (discount?.type ?? null) === stored.discountType &&
  (discount?.value ?? null) === stored.discountValue

function valuesOf(typed: TypedItem, stored: TableItem | null, discount: Discount | null): ItemValues {
  // What nobody touched stays to the letter.
  const text = (column: (typeof textColumns)[number]) => (typed[column] === stored?.[column] ? typed[column] : typed[column].trim())
  return {
    name: text('name'),
    categoryId: typed.categoryId,
    priceCents: parseMoney(typed.price) ?? 0,
    description: text('description'),
    width: text('width'),
    soleType: text('soleType'),
    size: text('size'),
    discountType: discount?.type ?? null,
    discountValue: discount?.value ?? null,
  }
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

/** Urls one after the other, in any spacing. */
export const urlsIn = (cell: string): string[] => cell.split(/\s+/).filter((url) => url !== '')
const areSame = (cell: string, pictures: readonly string[]): boolean => urlsIn(cell).join(' ') === pictures.join(' ')
