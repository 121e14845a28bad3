/** A colour as the contract of section 3 describes it (DATA-059 to DATA-064). */
import type { Discount } from '#app/features/money/money.ts'
import { discountDocument, type DiscountDocument } from './discount-document.ts'

export type ColorDocument = {
  id: string
  name: string
  url: string
  isAvailable: boolean
  isLowOnStock: boolean
  discount?: DiscountDocument
  createdAt: number
}

export const colorDocument = ({ discount, ...same }: Omit<ColorDocument, 'discount'> & { discount: Discount | null }): ColorDocument => ({
  ...same,
  ...(discount ? { discount: discountDocument(discount) } : {}),
})
