import { expect, test } from 'vitest'
import { discountedPrice, discountTag } from '#app/features/pricing/money.ts'
import { applyQuestion, readTypedDiscount } from './discount-texts.ts'

test('DISC-47 S-124 the question names the number and the fitting discount', () => {
  expect(applyQuestion(3, { type: 'percent', value: 1000 })).toBe('Put 3 item(s) on sale with 10% discount.')
  expect(applyQuestion(3, { type: 'amount', value: 1000 })).toBe('Put 3 item(s) on sale with $10 discount.')
  expect(applyQuestion(1, { type: 'amount', value: 1050 })).toBe('Put 1 item(s) on sale with $10.50 discount.')
})

test('DISC-55 DISC-56 DISC-57 percent reduces by its part, amount by its value, shown with a $', () => {
  expect(discountedPrice(2000, readTypedDiscount('percent', '10'))).toBe(1800)
  expect(discountedPrice(2000, readTypedDiscount('amount', '2.5'))).toBe(1750)
  expect(discountTag({ type: 'amount', value: 250 })).toContain('$2.50')
})
