/** Which picture of an item is shown: the address says it, so that it works without script, after Back and in a link that was sent. */
import { colorName, stockHint, type Color, type Item, type ItemPicture } from './catalog.ts'
import { useState, type MouseEvent } from 'react'

/** `colorId`: the colour that was chosen, until another picture is. */
export type Shown = { index: number; colorId: string | null }

export const PICTURE_ID = 'picture'

type Pictures = readonly Pick<ItemPicture, 'colorIds'>[]

export const pictureWearing = (pictures: Pictures, colorId: string): number =>
  pictures.findIndex(({ colorIds }) => colorIds.includes(colorId))

/** `?color={id}` or `?picture={1…}`; whatever else is asked for shows the first picture. */
export function readShown(pictures: Pictures, asked: URLSearchParams): Shown {
  const colorId = asked.get('color')
  const wearing = colorId === null ? -1 : pictureWearing(pictures, colorId)
  if (wearing >= 0) return { index: wearing, colorId }
  const index = Number(asked.get('picture')) - 1
  return { index: pictures[index] ? index : 0, colorId: null }
}

export function searchOf({ index, colorId }: Shown, search = ''): string {
  const asked = new URLSearchParams(search)
  asked.delete('picture')
  asked.delete('color')
  if (colorId !== null) asked.set('color', colorId)
  else asked.set('picture', String(index + 1))
  return `?${asked}`
}

/** The colour marked as chosen: the one that was pressed, or the only one that the picture wears. */
export function chosenColor(pictures: Pictures, { index, colorId }: Shown): string | null {
  if (colorId !== null) return colorId
  const worn = pictures[index]?.colorIds ?? []
  return worn.length === 1 ? worn[0]! : null
}

export function frameRatio(item: Pick<Item, 'pictures'>): number {
  const first = item.pictures[0]?.picture
  return first ? Math.min(1.25, Math.max(0.8, first.width / first.height)) : 1
}

export const wornColors = (
  item: Pick<Item, 'colors'>,
  { colorIds }: Pick<ItemPicture, 'colorIds'>,
  nameOf: (color: Color) => string = colorName,
): string =>
  item.colors
    .filter(({ id }) => colorIds.includes(id))
    .map(nameOf)
    .join(', ')

/** Under the picture the stock is told too: on a phone the tooltip may be out of sight. */
export function nameWithHint(color: Color): string {
  const hint = stockHint(color)
  return hint ? `${colorName(color)} (${hint.toLowerCase()})` : colorName(color)
}

/** ITEM-01, ITEM-09. `first`: what the address shows (`readShown`). */
export function useShownPicture(first: Shown): [Shown, (wanted: Shown) => void] {
  const [shown, setShown] = useState(first)
  return [
    shown,
    (wanted) => {
      setShown(wanted)
      // Past the router, which would load the page's data anew for each picture. Reload and Back read this address.
      history.replaceState(history.state, '', location.pathname + searchOf(wanted, location.search))
    },
  ]
}

/** Script does in place what the link does without it; a new tab stays a new tab. */
export function takesOver(event: MouseEvent): boolean {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return false
  event.preventDefault()
  return true
}
