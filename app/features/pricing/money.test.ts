import fc from 'fast-check'
import { expect, test } from 'vitest'
import { discountedPrice, discountTag, formatMoney, parseMoney } from './money.ts'

test('CONST-01 prices show two decimals and a $ sign', () => {
  expect(formatMoney(1250)).toBe('$12.50')
  expect(formatMoney(0)).toBe('$0.00')
  expect(formatMoney(123456789)).toBe('$1,234,567.89')
})

test('what people type becomes cents', () => {
  expect(['12,50', '$12.5', ' 12 ', '0', '0.01'].map(parseMoney)).toEqual([1250, 1250, 1200, 0, 1])
  expect(['-1', '1e9', '0.001', 'NaN', '', '12,5,0', '99999999'].map(parseMoney)).toEqual([null, null, null, null, null, null, null])
})

test('an amount shown is an amount read back', () => {
  expect(() =>
    fc.assert(fc.property(fc.integer({ min: 0, max: 99_999 }), (cents) => parseMoney(formatMoney(cents)) === cents)),
  ).not.toThrow()
})

test('DISC-55 a percent discount reduces the price by that percentage, half up', () => {
  expect(discountedPrice(1000, { type: 'percent', value: 1000 })).toBe(900)
  expect(discountedPrice(1, { type: 'percent', value: 5000 })).toBe(1)
  expect(discountedPrice(333, { type: 'percent', value: 1250 })).toBe(291)
})

test('DISC-56 an amount discount subtracts a fixed value', () => {
  expect(discountedPrice(1000, { type: 'amount', value: 250 })).toBe(750)
})

test('S-064 a discount never takes a price below zero', () => {
  const discount = fc.record({
    type: fc.constantFrom('percent' as const, 'amount' as const),
    value: fc.integer({ min: 1, max: 2_000_000 }),
  })
  expect(() =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000 }), discount, (price, off) => {
        const reduced = discountedPrice(price, off)
        return Number.isInteger(reduced) && reduced >= 0 && reduced <= price
      }),
    ),
  ).not.toThrow()
})

test('ITEM-13 ITEM-14 DISC-57 a discount tag shows dollars for an amount and percent for a percentage', () => {
  expect(discountTag({ type: 'amount', value: 500 })).toBe('$5.00 OFF')
  expect(discountTag({ type: 'percent', value: 500 })).toBe('5% OFF')
})
