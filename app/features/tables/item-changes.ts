/** What a row of the table changes, in words for people. */
import { discountTag, formatMoney, readDiscount } from '#app/features/money/money.ts'
import { columnTitles, type CategoryNames, type ItemColumn, type ItemValues } from './item-table.ts'

/** One changed column; the two columns of a discount are one. */
export type Change = { column: string; before: string; after: string }

const shown: ItemColumn[] = ['name', 'category', 'price', 'description', 'width', 'soleType', 'size']
const titleOf = (column: ItemColumn | 'discount') => (column === 'discount' ? column : columnTitles[column])

function textsOf(values: ItemValues, names: CategoryNames): Map<ItemColumn | 'discount', string> {
  const discount = readDiscount(values)
  const { name, description, width, soleType, size } = values
  return new Map<ItemColumn | 'discount', string>([
    ...Object.entries({ name, description, width, soleType, size }).map(([column, text]) => [column as ItemColumn, text] as const),
    ['category', names.nameOf(values.categoryId)],
    ['price', formatMoney(values.priceCents)],
    ['discount', discount ? discountTag(discount) : ''],
  ])
}

/** "price: $45.00 → $48.00"; of a new item everything that is not empty. */
export function changesOf(before: ItemValues | null, after: ItemValues, names: CategoryNames): Change[] {
  const [old, now] = [before ? textsOf(before, names) : new Map<string, string>(), textsOf(after, names)]
  return [...shown, 'discount' as const].flatMap((column) => {
    const [was, is] = [old.get(column) ?? '', now.get(column) ?? '']
    return was === is ? [] : [{ column: titleOf(column), ...fromTheDifference(was, is) }]
  })
}

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
