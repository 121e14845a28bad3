import type { ItemState, ItemTable } from '#db/schema.ts'
import type { Cents, Discount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { stockTexts } from './texts.ts'

/** The columns that the owner fills in: first the texts, then the rest of the form, and the discount in hundredths. */
export const itemTextColumns = ['name', 'description', 'width', 'soleType', 'size'] as const
export const itemFormColumns = [...itemTextColumns, 'categoryId', 'priceCents'] as const
export const itemValueColumns = [...itemFormColumns, 'discountType', 'discountValue'] as const
export type ItemTextColumn = (typeof itemTextColumns)[number]
export type ItemValues = Pick<ItemTable, (typeof itemValueColumns)[number]>

export type { ItemState }
/** A retired item stays at its URL, without an order request; a draft does not exist for visitors. [S-294] */
export const mayVisit = (state: ItemState): boolean => state !== 'draft'
export const isForSale = (state: ItemState): boolean => state === 'listed'

export type Category = {
  id: string
  title: string
  color: string
  picture: PictureView | null
  isHidden: boolean
  /** to visitors */ isShown: boolean
}

export type Color = {
  id: string
  /** stored with underscores; show it with `colorName` */
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
  state: ItemState
  priceCents: Cents
  discount: Discount | null
  picture: PictureView | null
  colors: Color[]
  /** [S-061]; undefined in lists without this information */
  isAvailable?: boolean | undefined
}

export function withoutPlaceholder(picture: PictureView | null): PictureView | null {
  if (!picture) return null
  const { placeholder: _, ...rest } = picture
  return rest
}

type ColorView = { id: string; name: string; swatch: string }
export type CardView = Pick<ItemCard, 'id' | 'name' | 'priceCents' | 'discount' | 'picture' | 'isAvailable'> & { colors: ColorView[] }

export const swatchUrl = ({ placeholder }: { placeholder?: string | null }): string => `url("${placeholder ?? ''}")`
const colorView = ({ id, name, picture }: Color): ColorView => ({ id, name, swatch: swatchUrl(picture ?? {}) })

/** `isInSight`: near the top of the page, where a placeholder image is worth its bytes; `known`: colors that the page's data contains already */
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
    /** '': the owner hides the category */
    categoryTitle: string
    pictures: ItemPicture[]
  }

export const colorName = (color: { name: string }): string => color.name.replaceAll('_', ' ')

/** null: the color is in stock. [S-062, ITEM-11, ITEM-12] */
export function stockHint(color: Pick<Color, 'isAvailable' | 'isLowOnStock'>): string | null {
  if (!color.isAvailable) return stockTexts.notAvailable
  return color.isLowOnStock ? stockTexts.lowOnStock : null
}

/** true: an image is available and has an available color. A test compares this with `isAvailable` in gallery.server.ts. [S-061] */
export function isItemAvailable({ colors, pictures }: Pick<Item, 'colors' | 'pictures'>): boolean {
  const there = new Set(colors.filter((color) => color.isAvailable).map(({ id }) => id))
  return pictures.some(({ isAvailable, colorIds }) => isAvailable && (colorIds.length === 0 || colorIds.some((id) => there.has(id))))
}

export const HOME_COLORS = 12

export const FIRST_ROW_SIZE = 2
