/** What pages get of the catalogue: categories, colours, items and their pictures (specification section 3). */
import type { Discount, Cents } from '#app/features/money/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'

export type Category = { id: string; title: string; color: string; picture: PictureView | null }

export type Color = {
  id: string
  /** with underscores, as stored; shown through `colorName` */
  name: string
  picture: PictureView | null
  isAvailable: boolean
  isLowOnStock: boolean
  discount: Discount | null
}

/** What a card shows of an item; `picture` is the first one. */
export type ItemCard = {
  id: string
  name: string
  categoryId: string
  priceCents: Cents
  discount: Discount | null
  picture: PictureView | null
  colors: Color[]
  /** S-061: whether any picture's piece can be had; undefined where a list does not tell */
  isAvailable?: boolean
}

export type ItemPicture = { id: string; picture: PictureView; isAvailable: boolean; colorIds: string[] }

export type Item = Omit<ItemCard, 'picture' | 'isAvailable'> & {
  categoryTitle: string
  description: string
  width: string
  soleType: string
  size: string
  pictures: ItemPicture[]
}

/** COLOR-04: a colour's name is shown with its underscores as spaces. */
export const colorName = (color: { name: string }): string => color.name.replaceAll('_', ' ')

/** S-062: what a colour's tooltip hints at; null when there is nothing to say (ITEM-11, ITEM-12). */
export function stockHint(color: Pick<Color, 'isAvailable' | 'isLowOnStock'>): 'Not available' | 'Low on stock' | null {
  if (!color.isAvailable) return 'Not available'
  return color.isLowOnStock ? 'Low on stock' : null
}

/**
 * S-061: an item can be had as one of its pictures shows it: the picture is not marked, nor are all the colours that it wears. The gallery
 * asks the database the same (gallery-items.server.ts); a test holds them against each other.
 */
export function canBeHad({ colors, pictures }: Pick<Item, 'colors' | 'pictures'>): boolean {
  const there = new Set(colors.filter((color) => color.isAvailable).map(({ id }) => id))
  return pictures.some(({ isAvailable, colorIds }) => isAvailable && (colorIds.length === 0 || colorIds.some((id) => there.has(id))))
}

/** HOME-13: how many colours Home shows at first. */
export const HOME_COLORS = 12
