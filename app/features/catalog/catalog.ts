import type { Selectable } from 'kysely'
import type { ItemKind, ItemState, ItemTable } from '#db/schema.ts'
import type { Cents, Discount } from '#pricing/money.ts'
import type { ImageView } from '#ui/responsive-image.tsx'
import type { ItemTextColumn, itemValueColumns } from './item-fields.ts'
import { stockTexts } from './texts.ts'

export type { ItemKind, ItemState }
export type ItemValues = Pick<Selectable<ItemTable>, (typeof itemValueColumns)[number]>

/** A retired or sold item has a page, but cannot be ordered. [S-294] */
export const mayVisit = (state: ItemState) => state !== 'draft'
export const isForSale = (state: ItemState) => state === 'listed'

export type Category = {
  id: string
  title: string
  color: string
  image: ImageView | null
  isHidden: boolean
  isShown: boolean
}

export type Color = {
  id: string
  /** The name has underscores instead of spaces; `colorName` replaces them. */
  name: string
  image: ImageView | null
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
  image: ImageView | null
  colors: Color[]
  mark?: string
  isAvailable?: boolean
}

export type ItemImage = {
  id: string
  image: ImageView
  isAvailable: boolean
  colorIds: string[]
}

export type Item = Omit<ItemCard, 'image' | 'isAvailable' | 'mark'> &
  Pick<ItemValues, ItemTextColumn | 'kind'> & {
    /** '' if the category is hidden */
    categoryTitle: string
    images: ItemImage[]
  }

export const HOME_COLORS = 12

export const FIRST_ROW_SIZE = 2

export function withoutPlaceholder(image: ImageView | null): ImageView | null {
  if (!image) return null
  const { placeholder: _, ...rest } = image
  return rest
}

type ColorView = { id: string; name: string; swatch: string }
export type CardView = Pick<
  ItemCard,
  'id' | 'name' | 'priceCents' | 'discount' | 'image' | 'isAvailable' | 'mark'
> & {
  colors: ColorView[]
  /** the color by which the gallery is filtered */
  chosenColorId?: string
}

export const swatchUrl = ({ placeholder }: { placeholder?: string | null }) =>
  `url("${placeholder ?? ''}")`

export const cardView = (
  { id, name, priceCents, discount, image, isAvailable, mark, colors }: ItemCard,
  { isInSight = false, colorViews = new Map<string, ColorView>() } = {},
): CardView => ({
  id,
  name,
  priceCents,
  discount,
  image: isInSight ? image : withoutPlaceholder(image),
  isAvailable,
  ...(mark && { mark }),
  colors: colors.map(
    (color) =>
      colorViews.get(color.id) ?? {
        id: color.id,
        name: color.name,
        swatch: swatchUrl(color.image ?? {}),
      },
  ),
})

export const colorName = (color: { name: string }) => color.name.replaceAll('_', ' ')

/** Returns the hint beside a color, or null if the color is in stock. [S-062] */
export function stockHint(color: Pick<Color, 'isAvailable' | 'isLowOnStock'>) {
  if (!color.isAvailable) return stockTexts.notAvailable
  return color.isLowOnStock ? stockTexts.lowOnStock : null
}

/**
 * An item is available if one of its available images has an available color, or no color.
 * `isAvailable` in shown-items.server.ts is the same in SQL. [S-061]
 */
export function isItemAvailable({ colors, images }: Pick<Item, 'colors' | 'images'>) {
  const availableIds = new Set(colors.filter((color) => color.isAvailable).map(({ id }) => id))
  return images.some(
    ({ isAvailable, colorIds }) =>
      isAvailable && (colorIds.length === 0 || colorIds.some((id) => availableIds.has(id))),
  )
}
