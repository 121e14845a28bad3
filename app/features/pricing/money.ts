import type { TableStyle } from '#app/lib/text/csv.ts'
import { priceTexts } from './texts.ts'

export type Cents = number
export const CURRENCY = 'USD'
/** `value`: hundredths of a percent, or cents. */
export type Discount = { type: 'percent' | 'amount'; value: number }

/** "$1,234.50" [S-066, CONST-01] */
export function formatMoney(cents: Cents): string {
  const sign = cents < 0 ? '-' : ''
  const dollars = Math.floor(Math.abs(cents) / 100)
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  // toLocaleString is much slower, so smaller amounts do without it.
  const whole = dollars < 1000 ? dollars : dollars.toLocaleString('en-US')
  return `${sign}$${whole}.${rest}`
}

export const decimalAmount = (cents: Cents): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** Turns '12,50', '$12.5' or ' 12 ' into cents; null: not an amount from 0 to 9,999,999.99. */
export function parseMoney(typed: string): Cents | null {
  const text = typed.trim().replace(/^\$\s*/, '')
  const match = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text)
  if (!match) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** The price is never below 0 and is rounded half up to the cent. [DISC-55, DISC-56, S-064, S-065] */
export function discountedPrice(price: Cents, discount: Discount | null): Cents {
  if (!discount) return price
  const reduced = discount.type === 'amount' ? price - discount.value : Math.floor((price * (10_000 - discount.value) + 5_000) / 10_000)
  return Math.max(0, reduced)
}

/** '$5.00 OFF' or '5% OFF' [S-062, DISC-57] */
export const discountTag = (discount: Discount): string =>
  priceTexts.off(discount.type === 'amount' ? formatMoney(discount.value) : `${discount.value / 100}%`)

export const readDiscount = (row: { discountType: Discount['type'] | null; discountValue: number | null }): Discount | null =>
  row.discountType && row.discountValue ? { type: row.discountType, value: row.discountValue } : null

export const amountCell = (hundredths: number | null, style: TableStyle): string =>
  hundredths === null ? '' : decimalAmount(hundredths).replace('.', style === 'semicolon' ? ',' : '.')
