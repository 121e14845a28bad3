import type { ItemTable } from '#db/schema.ts'
import type { Cents, Discount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'

/** Columns of an item that the owner fills: texts, what else her form has, and the discount (in hundredths). */
export const itemTextColumns = ['name', 'description', 'width', 'soleType', 'size'] as const
export const itemFormColumns = [...itemTextColumns, 'categoryId', 'priceCents'] as const
export const itemValueColumns = [...itemFormColumns, 'discountType', 'discountValue'] as const
export type ItemTextColumn = (typeof itemTextColumns)[number]
export type ItemValues = Pick<ItemTable, (typeof itemValueColumns)[number]>

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

export type ItemCard = {
  id: string
  name: string
  categoryId: string
  priceCents: Cents
  discount: Discount | null
  picture: PictureView | null
  colors: Color[]
  /** S-061: whether any picture's piece can be had; undefined where a list does not tell */
  isAvailable?: boolean | undefined
}

export function withoutPlaceholder(picture: PictureView | null): PictureView | null {
  if (!picture) return null
  const { placeholder: _, ...rest } = picture
  return rest
}

type ColorView = { id: string; name: string; swatch: string }
export type CardView = Pick<ItemCard, 'id' | 'name' | 'priceCents' | 'discount' | 'picture' | 'isAvailable'> & { colors: ColorView[] }

export const swatchOf = ({ placeholder }: { placeholder?: string | null }): string => `url("${placeholder ?? ''}")`
const colorView = ({ id, name, picture }: Color): ColorView => ({ id, name, swatch: swatchOf(picture ?? {}) })

/** `isInSight`: its picture is among the first of the page, so that its placeholder is worth its bytes; `known`: colors that the page's data holds once. */
export const cardView = (
  { id, name, priceCents, discount, picture, isAvailable, colors }: ItemCard,
  { isInSight = false, known = new Map<string, ColorView>() } = {},
): CardView => ({
  id,
  name,
  priceCents,
  discount,
  picture: isInSight ? picture : withoutPlaceholder(picture),
  isAvailable,
  colors: colors.map((color) => known.get(color.id) ?? colorView(color)),
})

export type ItemPicture = { id: string; picture: PictureView; isAvailable: boolean; colorIds: string[] }

export type Item = Omit<ItemCard, 'picture' | 'isAvailable'> &
  Pick<ItemValues, ItemTextColumn> & {
    categoryTitle: string
    pictures: ItemPicture[]
  }

/** COLOR-04: a colour's name is shown with its underscores as spaces. */
export const colorName = (color: { name: string }): string => color.name.replaceAll('_', ' ')

/** S-062: what a colour's tooltip hints at; null when there is nothing to say (ITEM-11, ITEM-12). */
export function stockHint(color: Pick<Color, 'isAvailable' | 'isLowOnStock'>): 'Not available' | 'Low on stock' | null {
  if (!color.isAvailable) return 'Not available'
  return color.isLowOnStock ? 'Low on stock' : null
}

/** S-061: one of its pictures is neither marked, nor are all the colors that it wears; a test holds it against `isAvailable` of the gallery. */
export function canBeHad({ colors, pictures }: Pick<Item, 'colors' | 'pictures'>): boolean {
  const there = new Set(colors.filter((color) => color.isAvailable).map(({ id }) => id))
  return pictures.some(({ isAvailable, colorIds }) => isAvailable && (colorIds.length === 0 || colorIds.some((id) => there.has(id))))
}

export const HOME_COLORS = 12

export const favouriteTexts: Record<'signed-out' | 'no-item' | 'failed', string> = {
  'signed-out': 'Please log in to mark favorites.',
  'no-item': 'This item is no longer in the shop.',
  failed: 'Your favorite could not be saved. Please try again.',
}

export const FIRST_ROW = 2

export const piecesText = (count: number): string => (count === 1 ? '1 piece' : `${count} pieces`)
