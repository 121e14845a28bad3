import type { Currency } from '#app/lib/text/currency.ts'
import { type Discount, formatMoney, parseMoney, shortMoney } from '#app/features/pricing/money.ts'
import { discountsTexts, discountTexts, undoTexts } from './texts.ts'

/** Returns a text such as "10%", "$10" or "$10.50". [S-124] */
export const shortDiscountText = ({ type, value }: Discount, currency: Currency): string =>
  type === 'percent' ? `${value / 100}%` : shortMoney(value, currency)

export type BulkChange = { count: number; free: number; names: string[] }

export const freeWarning = (
  { free, names }: Pick<BulkChange, 'free' | 'names'>,
  currency: Currency,
): string | null =>
  free === 0
    ? null
    : discountTexts.freeWarning(free, formatMoney(0, currency), discountsTexts.list(names, free))

export type UndoOffer = {
  seq: number
  noun: 'items' | 'color'
  count: number
  discount: Discount | null
  name: string
}

export function undoOfferText(
  { count, discount, name }: Pick<UndoOffer, 'count' | 'discount' | 'name'>,
  currency: Currency,
): string {
  const what = count === 1 ? name : undoTexts.items(count)
  return discount
    ? undoTexts.onSale(what, shortDiscountText(discount, currency))
    : undoTexts.ended(what)
}

/** `count` is the number of restored items, and `gone` is the number of deleted items. `left` names the items that were not restored, because they were changed later. */
export type UndoResult = { count: number; left: string[]; gone: number }

export function undoneText({ count, left, gone }: UndoResult): string {
  const unchanged =
    left.length > 0
      ? [undoTexts.notRestored(discountsTexts.list(left.slice(0, 10), left.length))]
      : []
  const missing = gone > 0 ? [undoTexts.deleted(gone)] : []
  return [...(count > 0 ? [undoTexts.undone] : []), ...unchanged, ...missing].join(' ')
}

export const parseType = (typed: string, standard: Discount['type']): Discount['type'] =>
  typed === 'percent' || typed === 'amount' ? typed : standard

/** A percentage may end in "%", but must not contain letters or a currency sign, so that "$10" never becomes 10%. [OWN-129] */
export function parseTypedDiscount(type: Discount['type'], typed: string): Discount | null {
  const isMoney = type === 'percent' && /[\p{L}\p{Sc}]/u.test(typed)
  const value = isMoney ? null : parseMoney(type === 'percent' ? typed.replace(/%\s*$/, '') : typed)
  return value ? { type, value } : null
}

export const valueText = (discount: Discount): string => String(discount.value / 100)

export const COMPARISONS = ['>=', '==', '<='] as const
export const COLUMNS = [1, 2, 3, 4] as const

export const PART_SIZE = 60
const MAX_PARTS = 1000

export type ItemSearch = {
  isOnSale: boolean
  name: string
  comparison: (typeof COMPARISONS)[number]
  price: string
  categoryId: string
  columns: (typeof COLUMNS)[number]
  parts: number
}

/** Reads the search from the URL. By default, the comparison is ">=" and the number of columns is 2. [DISC-22, DISC-34] */
export function parseItemSearch(params: URLSearchParams): ItemSearch {
  const parts = params.get('parts') ?? ''
  // PostgreSQL refuses the character U+0000.
  const text = (name: string) => (params.get(name) ?? '').replaceAll('\u0000', '').toWellFormed()
  return {
    isOnSale: params.get('sale') === 'on',
    name: text('name'),
    comparison: COMPARISONS.find((known) => known === params.get('compare')) ?? '>=',
    price: text('price'),
    categoryId: text('category'),
    columns: COLUMNS.find((known) => String(known) === params.get('columns')) ?? 2,
    parts: /^\d{1,6}$/.test(parts) ? Math.min(Math.max(1, Number(parts)), MAX_PARTS) : 1,
  }
}

export const searchTerms = ({
  isOnSale,
  name,
  comparison,
  price,
  categoryId,
}: ItemSearch): string => JSON.stringify([isOnSale, name, comparison, price, categoryId])
