import { type Currency, withSymbol } from '#app/lib/text/currency.ts'
import type { TableStyle } from '#app/lib/text/csv.ts'
import { priceTexts } from './texts.ts'

export type Cents = number
/** `value` is in hundredths of a percent if the type is 'percent', and in cents if the type is 'amount'. */
export type Discount = { type: 'percent' | 'amount'; value: number }

/** Formats cents as a text such as "$1,234.50", "CHF 1,234.50" or "1,234.50 €". [S-066, CONST-01, S-290] */
export function formatMoney(cents: Cents, currency: Currency): string {
  const sign = cents < 0 ? '-' : ''
  const units = Math.floor(Math.abs(cents) / 100)
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  // Amounts below 1,000 need no separator, so the slow toLocaleString is called only for larger amounts.
  const whole = units < 1000 ? units : units.toLocaleString('en-US')
  return sign + withSymbol(`${whole}.${rest}`, currency)
}

/** Formats cents without decimals if possible, such as "$5" or "$5.50". [S-124] */
export const shortMoney = (cents: Cents, currency: Currency): string =>
  formatMoney(cents, currency).replace(/\.00(?!\d)/, '')

export function decimalAmount(cents: Cents): string {
  const amount = Math.abs(cents)
  return `${cents < 0 ? '-' : ''}${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
}

const MAX_PRICE: Cents = 999_999_999
/** Matches a number with separators between thousands, such as '1,000', '1.000.000,50', "1'000.50" or '1 000'. */
const GROUPED = /^\d{1,3}([.,'’\s])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d{0,2})?$/

/**
 * Parses a typed amount such as '45', '$45', '45 €', '12,50', '1,000.50' or '1.000,50'. Returns null if the text is not an amount from 0
 * to `max`. Also returns null for '1,234', because it may mean 1234 or 1.234. [OWN-37, S-291]
 */
export function parseMoney(typed: string, max = MAX_PRICE): Cents | null {
  const text = typed
    .trim()
    .replace(/^(?:\p{L}{0,3}\p{Sc}|\p{L}{1,4}\.?)\s*(?=[\d.,])/u, '')
    .replace(/\s*(?:\p{Sc}|\p{L}{2,4}\.?)$/u, '')
  const isGrouped = GROUPED.test(text) && !/^\d+[.,]\d+$/.test(text)
  const plain = isGrouped ? text.replaceAll(/[.,'’\s](?=\d{3}(?!\d))/g, '') : text
  const [, whole = '', rest = ''] = /^(\d*)(?:[.,](\d{0,2}))?$/.exec(plain) ?? []
  const cents = Number(whole) * 100 + Number(rest.padEnd(2, '0'))
  return whole + rest !== '' && cents <= max ? cents : null
}

/** Returns the reduced price, which is at least 0. Half a cent is rounded up. [DISC-55, DISC-56, S-064, S-065] */
export function discountedPrice(price: Cents, discount: Discount | null): Cents {
  if (!discount) return price
  const reduced =
    discount.type === 'amount'
      ? price - discount.value
      : Math.floor((price * (10_000 - discount.value) + 5_000) / 10_000)
  return Math.max(0, reduced)
}

/** Returns the text of a discount, such as '$5.00 OFF' or '5% OFF'. [S-062, DISC-57] */
export const discountTag = (discount: Discount, currency: Currency): string =>
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

export const amountCell = (hundredths: number | null, style: TableStyle): string =>
  hundredths === null
    ? ''
    : decimalAmount(hundredths).replace('.', style === 'semicolon' ? ',' : '.')
