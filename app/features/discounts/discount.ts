import { refuse } from '#lib/refusal.ts'
import type { Currency } from '#lib/text/currency.ts'
import { storableText } from '#lib/text/storable-text.ts'
import { type Discount, formatMoney, shortMoney } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import { discountsTexts, discountTexts, undoTexts } from './texts.ts'

/** Returns "10%", "$10" or "$10.50". [S-124] */
export const shortDiscountText = ({ type, value }: Discount, currency: Currency) =>
  type === 'percent' ? `${value / 100}%` : shortMoney(value, currency)

export type BulkChange = { count: number; free: number; names: string[] }

export const freeWarning = ({ free, names }: BulkChange, currency: Currency) =>
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
) {
  const what = count === 1 ? name : undoTexts.items(count)
  return discount
    ? undoTexts.onSale(what, shortDiscountText(discount, currency))
    : undoTexts.ended(what)
}

export type UndoResult = { restored: number; changedNames: string[]; deleted: number }

export const undoneText = ({ restored, changedNames, deleted }: UndoResult) =>
  [
    restored > 0 && undoTexts.undone,
    changedNames.length > 0 &&
      undoTexts.notRestored(discountsTexts.list(changedNames.slice(0, 10), changedNames.length)),
    deleted > 0 && undoTexts.deleted(deleted),
  ]
    .filter(Boolean)
    .join(' ')

/** In hundredths of a percent. */
const MAX_PERCENT = 10_000

/** Refuses "$10" as a percentage. [OWN-129] */
export function parseTypedDiscount(type: Discount['type'], typed: string) {
  const isMoney = type === 'percent' && /[\p{L}\p{Sc}]/u.test(typed)
  const value = isMoney ? null : parseMoney(type === 'percent' ? typed.replace(/%\s*$/, '') : typed)
  if (!value) return refuse('invalid')
  if (type === 'percent' && value > MAX_PERCENT) return refuse('above-maximum')
  return { ok: true as const, discount: { type, value } }
}

export const COMPARISONS = ['>=', '==', '<='] as const
export const COLUMNS = [1, 2, 3, 4] as const

export const PART_SIZE = 60
const MAX_PARTS = 1000

export type ItemSearch = ReturnType<typeof parseItemSearch>

/** If `comparison` is null, the search does not filter by price. [DISC-28] */
export function parseItemSearch(params: URLSearchParams) {
  const parts = params.get('parts') ?? ''
  const text = (name: string) => storableText(params.get(name) ?? '')
  return {
    isOnSale: params.get('sale') === 'on',
    name: text('name'),
    comparison: COMPARISONS.find((item) => item === params.get('compare')) ?? null,
    price: text('price'),
    categoryId: text('category'),
    columns: COLUMNS.find((item) => String(item) === params.get('columns')) ?? 2,
    parts: /^\d{1,6}$/.test(parts) ? Math.min(Math.max(1, Number(parts)), MAX_PARTS) : 1,
  }
}
