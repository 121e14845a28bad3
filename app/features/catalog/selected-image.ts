import { useState } from 'react'
import { colorName, stockHint, type Color, type Item, type ItemImage } from './catalog.ts'

export type SelectedImage = { index: number; colorId: string | null }

export const IMAGE_ID = 'picture'

type Images = readonly Pick<ItemImage, 'colorIds'>[]

export const imageWithColor = (images: Images, colorId: string) =>
  images.findIndex(({ colorIds }) => colorIds.includes(colorId))

export function parseSelectedImage(images: Images, search: URLSearchParams): SelectedImage {
  const colorId = search.get('color')
  const indexByColor = colorId === null ? -1 : imageWithColor(images, colorId)
  if (indexByColor >= 0) return { index: indexByColor, colorId }
  const index = Number(search.get('picture')) - 1
  return { index: images[index] ? index : 0, colorId: null }
}

export function selectionSearch({ index, colorId }: SelectedImage, search = '') {
  const params = new URLSearchParams(search)
  params.delete('picture')
  params.delete('color')
  if (colorId !== null) params.set('color', colorId)
  else params.set('picture', String(index + 1))
  return `?${params}`
}

export function chosenColor(images: Images, { index, colorId }: SelectedImage) {
  if (colorId !== null) return colorId
  const colorIds = images[index]?.colorIds ?? []
  return colorIds.length === 1 ? colorIds[0]! : null
}

export function frameRatio(item: Pick<Item, 'images'>) {
  const first = item.images[0]?.image
  return first ? Math.min(1.25, Math.max(0.8, first.width / first.height)) : 1
}

export const imageColors = (
  item: Pick<Item, 'colors'>,
  { colorIds }: Pick<ItemImage, 'colorIds'>,
  nameOf: (color: Color) => string = colorName,
) =>
  item.colors
    .filter(({ id }) => colorIds.includes(id))
    .map(nameOf)
    .join(', ')

export function nameWithStockHint(color: Color) {
  const hint = stockHint(color)
  return hint ? `${colorName(color)} (${hint.toLowerCase()})` : colorName(color)
}

/** The URL contains the selection; `first` is what the server read from it. [ITEM-01] */
export function useSelectedImage(first: SelectedImage) {
  const [selected, setSelected] = useState(first)
  const select = (next: SelectedImage) => {
    setSelected(next)
    const url = location.pathname + selectionSearch(next, location.search)
    // React Router would load the page's data again for each image.
    history.replaceState(history.state, '', url)
  }
  return [selected, select] as const
}
