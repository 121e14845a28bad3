/** An item as the contract of section 3 describes it (DATA-039 to DATA-054): prices are dollars. */
import type { Cents, Discount } from '#app/features/money/money.ts'
import { discountDocument, type DiscountDocument } from './discount-document.ts'

export type ItemDocument = {
  id: string
  name: string
  category: string
  price: number
  description: string
  width: string
  soleType: string
  size: string
  discount?: DiscountDocument
  images: { url: string; colors: string[]; isAvailable: boolean }[]
  createdAt: number
}

export type ItemRecord = {
  id: string
  name: string
  categoryId: string
  priceCents: Cents
  description: string
  width: string
  soleType: string
  size: string
  discount: Discount | null
  images: { url: string; colorIds: string[]; isAvailable: boolean }[]
  createdAt: number
}

export const itemDocument = ({ categoryId, priceCents, discount, images, ...same }: ItemRecord): ItemDocument => ({
  ...same,
  category: categoryId,
  price: priceCents / 100,
  ...(discount ? { discount: discountDocument(discount) } : {}),
  images: images.map(({ url, colorIds, isAvailable }) => ({ url, colors: colorIds, isAvailable })),
})
