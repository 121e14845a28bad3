import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Currency, US_DOLLAR } from '#lib/text/currency.ts'
import {
  decimalAmount,
  discountedPrice,
  discountTag,
  formatMoney,
  shortMoney,
  type Discount,
} from './money.ts'
import { parseMoney } from './parse-money.ts'

const EURO: Currency = { code: 'EUR', symbol: '€', position: 'after' }
/** The highest price or discount, in cents, that the owner can type. */
const MOST = 999_999_999
const price = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: MOST }))
/** With these discounts, in hundredths of a percent, many reduced prices end in half a cent. */
const halves = fc.constantFrom(5_000, 2_500, 1_250, 7_500, 9_950)
const percent = fc
  .oneof(halves, fc.integer({ min: 1, max: 12_000 }), fc.integer({ min: 1, max: MOST }))
  .map((value): Discount => ({ type: 'percent', value }))
const amount = price.map((value): Discount => ({ type: 'amount', value }))
const discount = fc.oneof(percent, amount)
const RUNS = { numRuns: 2000 }

/** Returns the numerator and the denominator of the exact reduced price. */
const exactly = (cents: number, { type, value }: Discount): [bigint, bigint] =>
  type === 'amount'
    ? [BigInt(cents - value), 1n]
    : [BigInt(cents) * (10_000n - BigInt(value)), 10_000n]

test('a reduced price is computed exactly, is then rounded half up to the cent, and is never below zero [DISC-55, DISC-56, S-064, S-065]', () => {
  fc.assert(
    fc.property(price, discount, (cents, off) => {
      const [top, bottom] = exactly(cents, off)
      const found = BigInt(discountedPrice(cents, off))
      if (top <= 0n) return found === 0n
      // The rounding is correct if `found` − ½ ≤ exact price < `found` + ½. All sides are
      // multiplied by 2 × `bottom` to avoid fractions.
      return 2n * top >= (2n * found - 1n) * bottom && 2n * top < (2n * found + 1n) * bottom
    }),
    RUNS,
  )
  expect(discountedPrice(2500, null)).toBe(2500)
})

test('parsing a displayed amount returns the same number of cents [CONST-01]', () => {
  fc.assert(
    fc.property(price, (cents) => {
      for (const show of [
        (some: number) => formatMoney(some, US_DOLLAR),
        (some: number) => formatMoney(some, EURO),
        decimalAmount,
      ]) {
        expect(parseMoney(show(cents))).toBe(cents)
        expect(show(parseMoney(show(cents))!)).toBe(show(cents))
      }
    }),
  )
})

test('any typed text is parsed as a whole number of cents up to the maximum price, or is refused', () => {
  const typed = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.string({ unit: fc.constantFrom(..."0123456789., '$€kr-e") }),
  )
  fc.assert(
    fc.property(typed, (text) => {
      const cents = parseMoney(text)
      expect(cents === null || (Number.isInteger(cents) && cents >= 0 && cents <= MOST)).toBe(true)
    }),
    RUNS,
  )
})

test('prices in dollars have a $ sign and two decimals [CONST-01]', () => {
  expect([1250, 0, 123456789].map((cents) => formatMoney(cents, US_DOLLAR))).toEqual([
    '$12.50',
    '$0.00',
    '$1,234,567.89',
  ])
})

test('amounts show the currency symbol before or after the number, depending on the chosen position [OWN-35]', () => {
  const written = (symbol: string, position: Currency['position']) =>
    formatMoney(-123_450, { code: 'X', symbol, position })
  expect(written('€', 'before')).toBe('-€1,234.50')
  expect(written('€', 'after')).toBe('-1,234.50\u00a0€')
  expect(written('CHF', 'before')).toBe('-CHF\u00a01,234.50')
  expect(written('A$', 'before')).toBe('-A$1,234.50')
  expect([500, 550].map((cents) => shortMoney(cents, EURO))).toEqual(['5\u00a0€', '5.50\u00a0€'])
})

test('typed amounts are parsed as cents, and texts that are not amounts are refused', () => {
  expect(
    ['12,50', '$12.5', ' 12 ', '0', '0.01', '9999999.99', '1,5', '.5', '5.'].map((typed) =>
      parseMoney(typed),
    ),
  ).toEqual([1250, 1250, 1200, 0, 1, 999_999_999, 150, 50, 500])
  const none = [
    '',
    '1 2',
    ...'-1 -0.01 . $ ten NaN Infinity 1e9 0.001 12,5,0 99999999 ٣ 0x10 1k 10%'.split(' '),
  ]
  expect(none.filter((text) => parseMoney(text) !== null)).toEqual([])
})

test('amounts with a currency and with the thousands separators of several countries are parsed as cents [OWN-37]', () => {
  for (const typed of [
    '€ 45',
    '45€',
    '45,00 €',
    '$45',
    'US$45',
    'kr 45',
    '45 kr.',
    '45 EUR',
    'EUR 45.00',
    'Fr. 45',
    '£45',
  ]) {
    expect(parseMoney(typed), typed).toBe(4500)
  }
  for (const typed of [
    '1,000.50',
    '1.000,50',
    '1 000,50',
    '1\u00a0000.5',
    "1'000.50",
    '1\u202f000,50 €',
    '$1,000.50',
  ]) {
    expect(parseMoney(typed), typed).toBe(100_050)
  }
  expect(
    ['1,000,000', '1.000.000,00', '1 000', '1234567,8'].map((typed) => parseMoney(typed)),
  ).toEqual([100_000_000, 100_000_000, 100_000, 123_456_780])
})

test('an ambiguous amount such as 1,234 is refused, and so is an amount with inconsistent separators [OWN-37]', () => {
  const odd = [
    '1,234',
    '1.234',
    '$1,000',
    '0.999',
    '1,00,000',
    '1,000,50',
    '1.000.50',
    '1,0000',
    '12,345.678',
    '1,000.5.5',
    '1 000 5',
  ]
  expect(odd.filter((typed) => parseMoney(typed) !== null)).toEqual([])
})

test('an amount of more than 40 characters is refused [OWN-37]', () => {
  expect(parseMoney(`${'0'.repeat(38)}45`)).toBe(4500)
  expect(parseMoney(`${'0'.repeat(39)}45`)).toBe(null)
})

test('a discount tag shows an amount as $5.00 OFF and a percentage as 5% OFF [DISC-57, ITEM-13, ITEM-14]', () => {
  expect(discountTag({ type: 'amount', value: 500 }, US_DOLLAR)).toBe('$5.00 OFF')
  expect(discountTag({ type: 'percent', value: 500 }, US_DOLLAR)).toBe('5% OFF')
})
