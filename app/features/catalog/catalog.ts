import type { ItemKind, ItemState, ItemTable } from '#db/schema.ts'
import type { Cents, Discount } from '#app/features/pricing/money.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { stockTexts } from './texts.ts'

/** The text columns of an item, which the owner types. The next two lists add the other fields of the item form, and the discount. */
export const itemTextColumns = ['name', 'description', 'width', 'soleType', 'size'] as const
export const itemFormColumns = [...itemTextColumns, 'categoryId', 'priceCents', 'kind'] as const
export const itemValueColumns = [...itemFormColumns, 'discountType', 'discountValue'] as const
export type ItemTextColumn = (typeof itemTextColumns)[number]
export type ItemValues = Omit<Pick<ItemTable, (typeof itemValueColumns)[number]>, 'kind'> & {
  kind: ItemKind
}

export type { ItemKind, ItemState }
/** Visitors can open the page of a retired or sold item, but cannot order this item. They cannot open the page of a draft item. [S-294] */
export const mayVisit = (state: ItemState): boolean => state !== 'draft'
export const isForSale = (state: ItemState): boolean => state === 'listed'

export type Category = {
  id: string
  title: string
  color: string
  picture: PictureView | null
  isHidden: boolean
  /** Is true if visitors see the category in lists. */ isShown: boolean
}

export type Color = {
  id: string
  /** The stored name contains underscores. `colorName` returns the name to display. */
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
  /** A text on the picture, for example that the item is on hold. */ mark?: string
  /** Is undefined in lists that do not read whether an item is available. [S-061] */
  isAvailable?: boolean | undefined
}

export function withoutPlaceholder(picture: PictureView | null): PictureView | null {
  if (!picture) return null
  const { placeholder: _, ...rest } = picture
  return rest
}

type ColorView = { id: string; name: string; swatch: string }
export type CardView = Pick<
  ItemCard,
  'id' | 'name' | 'priceCents' | 'discount' | 'picture' | 'isAvailable' | 'mark'
> & {
  colors: ColorView[]
}

export const swatchUrl = ({ placeholder }: { placeholder?: string | null }): string =>
  `url("${placeholder ?? ''}")`
const colorView = ({ id, name, picture }: Color): ColorView => ({
  id,
  name,
  swatch: swatchUrl(picture ?? {}),
})

/** `isInSight` is true for a card near the top of the page. Only such a card keeps the placeholder of its image. `known` contains the colors that are already in the page's data. */
export const cardView = (
  { id, name, priceCents, discount, picture, isAvailable, mark, colors }: ItemCard,
  { isInSight = false, known = new Map<string, ColorView>() } = {},
): CardView => ({
  id,
  name,
  priceCents,
  discount,
  picture: isInSight ? picture : withoutPlaceholder(picture),
  isAvailable,
  ...(mark && { mark }),
  colors: colors.map((color) => known.get(color.id) ?? colorView(color)),
})

export type ItemPicture = {
  id: string
  picture: PictureView
  isAvailable: boolean
  colorIds: string[]
}

export type Item = Omit<ItemCard, 'picture' | 'isAvailable' | 'mark'> &
  Pick<ItemValues, ItemTextColumn | 'kind'> & {
    /** The title is empty if the category is hidden. */
    categoryTitle: string
    kind: ItemKind
    pictures: ItemPicture[]
  }

export const colorName = (color: { name: string }): string => color.name.replaceAll('_', ' ')

/** Returns null if the color is available and not low on stock. [S-062, ITEM-11, ITEM-12] */
export function stockHint(color: Pick<Color, 'isAvailable' | 'isLowOnStock'>): string | null {
  if (!color.isAvailable) return stockTexts.notAvailable
  return color.isLowOnStock ? stockTexts.lowOnStock : null
}

/** Returns true if an available image of the item has an available color or no color. A test checks that the SQL condition `isAvailable` has the same result. [S-061] */
export function isItemAvailable({ colors, pictures }: Pick<Item, 'colors' | 'pictures'>): boolean {
  const availableIds = new Set(colors.filter((color) => color.isAvailable).map(({ id }) => id))
  return pictures.some(
    ({ isAvailable, colorIds }) =>
      isAvailable && (colorIds.length === 0 || colorIds.some((id) => availableIds.has(id))),
  )
}

export const HOME_COLORS = 12

export const FIRST_ROW_SIZE = 2
