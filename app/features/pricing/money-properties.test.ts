// The price rule against exact fractions: BigInt knows no rounding of its own.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalAmount, discountedPrice, formatMoney, parseMoney, type Discount } from './money.ts'

/** The most that can be typed as a price and as a discount. */
const MOST = 999_999_999
const price = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: MOST }))
/** Many prices halve a cent with these. */
const halves = fc.constantFrom(5_000, 2_500, 1_250, 7_500, 9_950)
const percent = fc
  .oneof(halves, fc.integer({ min: 1, max: 12_000 }), fc.integer({ min: 1, max: MOST }))
  .map((value): Discount => ({ type: 'percent', value }))
const amount = price.map((value): Discount => ({ type: 'amount', value }))
const discount = fc.oneof(percent, amount)
const RUNS = { numRuns: 2000 }

/** price × (1 − percent), as numerator and denominator. */
const exactly = (cents: number, { type, value }: Discount): [bigint, bigint] =>
  type === 'amount' ? [BigInt(cents - value), 1n] : [BigInt(cents) * (10_000n - BigInt(value)), 10_000n]

test('DISC-55 DISC-56 S-065 a price is the exact one, half up to the cent', () => {
  expect(() =>
    fc.assert(
      fc.property(price, discount, (cents, off) => {
        const [top, bottom] = exactly(cents, off)
        const found = BigInt(discountedPrice(cents, off))
        if (top <= 0n) return found === 0n
        // found − ½ <= exact < found + ½, both sides times two and the denominator
        return 2n * top >= (2n * found - 1n) * bottom && 2n * top < (2n * found + 1n) * bottom
      }),
      RUNS,
    ),
  ).not.toThrow()
})

test('S-064 never negative, never above the original, always a whole cent', () => {
  fc.assert(
    fc.property(price, discount, (cents, off) => {
      const found = discountedPrice(cents, off)
      expect(Object.is(found, -0)).toBe(false)
      return Number.isSafeInteger(found) && found >= 0 && found <= cents
    }),
    RUNS,
  )
})

test('DISC-55 DISC-56 a higher price never costs less, a higher discount never more', () => {
  expect(() =>
    fc.assert(
      fc.property(price, price, discount, (one, other, off) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        return discountedPrice(low, off) <= discountedPrice(high, off)
      }),
      RUNS,
    ),
  ).not.toThrow()
  expect(() =>
    fc.assert(
      fc.property(price, fc.oneof(fc.tuple(percent, percent), fc.tuple(amount, amount)), (cents, [one, other]) => {
        const [less, more] = one.value <= other.value ? [one, other] : [other, one]
        return discountedPrice(cents, more) <= discountedPrice(cents, less)
      }),
      RUNS,
    ),
  ).not.toThrow()
})

test('S-064 a hundred percent and more, or an amount of the price and more, is free; no discount is the price', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: 0, max: MOST - 10_000 }), (cents, more) => {
      expect(discountedPrice(cents, { type: 'percent', value: 10_000 + more })).toBe(0)
      expect(discountedPrice(cents, { type: 'amount', value: cents + more })).toBe(0)
      expect(discountedPrice(cents, { type: 'amount', value: cents })).toBe(0)
      expect(discountedPrice(cents, null)).toBe(cents)
    }),
  )
})

test('CONST-01 what is shown is read back as the same amount, and shown the same again', () => {
  fc.assert(
    fc.property(price, (cents) => {
      for (const show of [(some: number) => formatMoney(some).replaceAll(',', ''), decimalAmount]) {
        expect(parseMoney(show(cents))).toBe(cents)
        expect(show(parseMoney(show(cents))!)).toBe(show(cents))
      }
    }),
  )
})

test('whatever is typed is an amount of whole cents within bounds, or none', () => {
  const typed = fc.oneof(fc.string(), fc.double().map(String), fc.string({ unit: fc.constantFrom(...'0123456789.,$ -e') }))
  expect(() =>
    fc.assert(
      fc.property(typed, (text) => {
        const cents = parseMoney(text)
        return cents === null || (Number.isInteger(cents) && cents >= 0 && cents <= MOST)
      }),
      RUNS,
    ),
  ).not.toThrow()
})
