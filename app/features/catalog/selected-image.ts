/** Reads and writes the selected image in the URL. So the selection works without JavaScript, after the Back button and in shared links. */
import { colorName, stockHint, type Color, type Item, type ItemPicture } from './catalog.ts'
import { useState, type MouseEvent } from 'react'

/** `colorId` is null if the visitor has selected an image instead of a color. */
export type SelectedImage = { index: number; colorId: string | null }

export const PICTURE_ID = 'picture'

type Pictures = readonly Pick<ItemPicture, 'colorIds'>[]

export const imageWithColor = (pictures: Pictures, colorId: string): number =>
  pictures.findIndex(({ colorIds }) => colorIds.includes(colorId))

/** Reads the color or the number of the image from the URL. Without a valid value, the first image is selected. */
export function parseSelectedImage(pictures: Pictures, search: URLSearchParams): SelectedImage {
  const colorId = search.get('color')
  const wearing = colorId === null ? -1 : imageWithColor(pictures, colorId)
  if (wearing >= 0) return { index: wearing, colorId }
  const index = Number(search.get('picture')) - 1
  return { index: pictures[index] ? index : 0, colorId: null }
}

export function selectionSearch({ index, colorId }: SelectedImage, search = ''): string {
  const params = new URLSearchParams(search)
  params.delete('picture')
  params.delete('color')
  if (colorId !== null) params.set('color', colorId)
  else params.set('picture', String(index + 1))
  return `?${params}`
}

/** Returns the color that the visitor selected, or else the only color of the image. Returns null if the image has several colors or none. */
export function chosenColor(pictures: Pictures, { index, colorId }: SelectedImage): string | null {
  if (colorId !== null) return colorId
  const worn = pictures[index]?.colorIds ?? []
  return worn.length === 1 ? worn[0]! : null
}

export function frameRatio(item: Pick<Item, 'pictures'>): number {
  const first = item.pictures[0]?.picture
  return first ? Math.min(1.25, Math.max(0.8, first.width / first.height)) : 1
}

export const imageColors = (
  item: Pick<Item, 'colors'>,
  { colorIds }: Pick<ItemPicture, 'colorIds'>,
  nameOf: (color: Color) => string = colorName,
): string =>
  item.colors
    .filter(({ id }) => colorIds.includes(id))
    .map(nameOf)
    .join(', ')

/** Returns the name of a color with its stock note for the text below the image, because a phone may not show the tooltip. */
export function nameWithStockHint(color: Color): string {
  const hint = stockHint(color)
  return hint ? `${colorName(color)} (${hint.toLowerCase()})` : colorName(color)
}

/** Returns the selected image and a function that changes it. `first` is the selection in the URL. [ITEM-01, ITEM-09] */
export function useSelectedImage(
  first: SelectedImage,
): [SelectedImage, (next: SelectedImage) => void] {
  const [shown, setShown] = useState(first)
  return [
    shown,
    (next) => {
      setShown(next)
      // The URL changes without React Router, which would load the page's data again for each image.
      history.replaceState(
        history.state,
        '',
        location.pathname + selectionSearch(next, location.search),
      )
    },
  ]
}

/** Returns false for a click with a modifier key, because the browser then opens the link in a new browser tab. For other clicks, prevents the browser from following the link. */
export function takeOverClick(event: MouseEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return false
  event.preventDefault()
  return true
}
