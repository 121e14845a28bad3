/** A discount as documents hold it (DATA-047 to DATA-049): `price` is its value, a number. */
import type { Discount } from '#app/features/money/money.ts'

export type DiscountDocument = { type: Discount['type']; price: number }

export const discountDocument = (discount: Discount): DiscountDocument => ({ type: discount.type, price: discount.value / 100 })
