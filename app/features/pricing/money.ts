import { type Currency, withSymbol } from '#lib/text/currency.ts'
import type { TableStyle } from '#lib/text/csv.ts'
import { priceTexts } from './texts.ts'

export type Cents = number
/** `value` is in hundredths of a percent or in cents. */
export type Discount = { type: 'percent' | 'amount'; value: number }

/** Makes "$1,234.50", "CHF 1,234.50" or "1,234.50 €". [S-066] */
export function formatMoney(cents: Cents, currency: Currency) {
  const [whole = '', rest] = decimalAmount(Math.abs(cents)).split('.')
  // Short numbers skip `toLocaleString`, because it is slow.
  const grouped = whole.length < 4 ? whole : Number(whole).toLocaleString('en-US')
  return (cents < 0 ? '-' : '') + withSymbol(`${grouped}.${rest}`, currency)
}

export const shortMoney = (cents: Cents, currency: Currency) =>
  formatMoney(cents, currency).replace(/\.00(?!\d)/, '')

export function decimalAmount(cents: Cents) {
  const amount = Math.abs(cents)
  return `${cents < 0 ? '-' : ''}${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}

/** Rounds half a cent up, and returns at least 0. [DISC-55] */
export function discountedPrice(price: Cents, discount: Discount | null) {
  if (!discount) return price
  const reduced =
    discount.type === 'amount'
      ? price - discount.value
      : Math.floor((price * (10_000 - discount.value) + 5_000) / 10_000)
  return Math.max(0, reduced)
}

export const discountTag = (discount: Discount, currency: Currency) =>
  priceTexts.off(
    discount.type === 'amount' ? formatMoney(discount.value, currency) : `${discount.value / 100}%`,
  )

export const readDiscount = (row: {
  discountType: Discount['type'] | null
  discountValue: number | null
}): Discount | null =>
  row.discountType && row.discountValue
    ? { type: row.discountType, value: row.discountValue }
    : null

export const amountCell = (hundredths: number | null, style: TableStyle) =>
  hundredths === null
    ? ''
    : decimalAmount(hundredths).replace('.', style === 'semicolon' ? ',' : '.')
