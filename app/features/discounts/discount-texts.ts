import { type Discount, formatMoney, parseMoney } from '#app/features/pricing/money.ts'

export const discountTexts = {
  noColor: 'Please select a color to put on sale...',
  notAboveZero: 'Please Enter a number above 0',
  noColorToRemove: 'Please select a color to remove',
  colorOnSale: 'Successfully put Color on Sale',
  colorRemoved: 'Successfully Removed Color Sale',
  noItems: 'Please select some items to put on sale',
  itemsOnSale: 'Successfully put Items on Sale',
  itemsRemoved: 'Successfully Removed Item Discount',
  failed: 'An error occured while updating the database',
  undone: 'The former discounts are back.',
  nothingUndone: 'This was undone already, or it was too long ago.',
} as const

export const refusedValue = (value: string, type: Discount['type']): string => `Cannot put item on sale with ${value} ${type}`

/** "10%" or "$10"; cents only where there are some (S-124). */
export const shortly = ({ type, value }: Discount): string =>
  type === 'percent' ? `${value / 100}%` : value % 100 === 0 ? formatMoney(value).replace(/\.00$/, '') : formatMoney(value)

export type Asked = { count: number; free: number; names: string[] }

export const applyQuestion = (count: number, discount: Discount): string =>
  `Put ${count} item(s) on sale with ${shortly(discount)} discount.`
export const removeQuestion = (count: number): string => `Remove the discount of ${count} item(s)?`

export const freeWarning = ({ free, names }: Pick<Asked, 'free' | 'names'>): string | null =>
  free === 0 ? null : `${free} of them would cost $0.00: ${wordList(names, free)}.`

export type Offer = { seq: number; noun: 'items' | 'color'; count: number; discount: Discount | null; name: string }

export function offerText({ count, discount, name }: Pick<Offer, 'count' | 'discount' | 'name'>): string {
  const what = count === 1 ? name : `${count} items`
  return discount ? `${what} on sale with ${shortly(discount)}.` : `Sale of ${what} ended.`
}

/** What an undo found: so many have their former discount again; of these it was changed since; so many are gone. */
export type Undone = { count: number; left: string[]; gone: number }

export function undoneText({ count, left, gone }: Undone): string {
  const kept = left.length > 0 ? [`Left as changed since then: ${wordList(left.slice(0, 10), left.length)}.`] : []
  const missing = gone > 0 ? [`No longer there: ${gone}.`] : []
  return [...(count > 0 ? [discountTexts.undone] : []), ...kept, ...missing].join(' ')
}

export const readType = (typed: string, standard: Discount['type']): Discount['type'] =>
  typed === 'percent' || typed === 'amount' ? typed : standard

export function readTypedDiscount(type: Discount['type'], value: string): Discount | null {
  const hundredths = parseMoney(value)
  return hundredths === null || hundredths === 0 ? null : { type, value: hundredths }
}

export const valueText = (discount: Discount): string => String(discount.value / 100)

/** "A", "A and B", "A, B and C", "A, B, C and 4 more" where `all` is more than there are names. */
function wordList(names: readonly string[], all = names.length): string {
  if (all > names.length) return `${names.join(', ')} and ${all - names.length} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export const COMPARISONS = ['>=', '==', '<='] as const
export const COLUMNS = [1, 2, 3, 4] as const

export const PART_SIZE = 60
const MOST_PARTS = 1000

export type ItemSearch = {
  isOnSale: boolean
  name: string
  comparison: (typeof COMPARISONS)[number]
  price: string
  categoryId: string
  columns: (typeof COLUMNS)[number]
  parts: number
}

/** DISC-22, DISC-34: the defaults are ">=" and 2 columns. */
export function readItemSearch(params: URLSearchParams): ItemSearch {
  const parts = params.get('parts') ?? ''
  // What no keyboard types, a database may refuse.
  const text = (name: string) => (params.get(name) ?? '').replaceAll('\u0000', '').toWellFormed()
  return {
    isOnSale: params.get('sale') === 'on',
    name: text('name'),
    comparison: COMPARISONS.find((known) => known === params.get('compare')) ?? '>=',
    price: text('price'),
    categoryId: text('category'),
    columns: COLUMNS.find((known) => String(known) === params.get('columns')) ?? 2,
    parts: /^\d{1,6}$/.test(parts) ? Math.min(Math.max(1, Number(parts)), MOST_PARTS) : 1,
  }
}

export const termsOf = ({ isOnSale, name, comparison, price, categoryId }: ItemSearch): string =>
  JSON.stringify([isOnSale, name, comparison, price, categoryId])
