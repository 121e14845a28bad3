import type { ItemCard } from '#app/features/catalog/catalog.ts'
import type { PictureView } from '#app/ui/picture.tsx'

export type ShowcaseView = {
  id: string
  /** The title that the owner has given to this circle; '' if the circle shows the title of its category. */
  title: string
  categoryId: string
  categoryTitle: string
  deg: number
  picture: PictureView | null
}

/** `isShown` is true if visitors see the category. */
export type CircleView = ShowcaseView & { isShown: boolean }

export type NewPiece = Pick<ItemCard, 'id' | 'name' | 'priceCents' | 'discount' | 'picture'>

/** Returns `count` items, if possible of different categories. */
export function mixCategories<T extends { categoryId: string }>(
  newest: readonly T[],
  count: number,
): T[] {
  const firsts = newest.filter(
    (piece, at) => newest.findIndex(({ categoryId }) => categoryId === piece.categoryId) === at,
  )
  const chosen = new Set([...new Set([...firsts, ...newest])].slice(0, count))
  return newest.filter((piece) => chosen.has(piece))
}

export const evenDeg = (at: number, count: number): number => Math.round((at * 360) / count)

const MIN_DEGREES = 20

const degreesBetween = (a: number, b: number) => Math.abs(((((a - b) % 360) + 540) % 360) - 180)

/** Returns the position of each circle on the ring in degrees. If circles would overlap, all circles are spread evenly. [S-020] */
export function spreadOnRing(records: readonly { deg: number }[]): number[] {
  const degs = records.map(({ deg }) => ((deg % 360) + 360) % 360)
  const isCrowded = degs.some((a, i) =>
    degs.some((b, j) => i < j && degreesBetween(a, b) < MIN_DEGREES),
  )
  return isCrowded ? records.map((_, i) => evenDeg(i, records.length)) : degs
}

export function turnTo(turn: number, deg: number): number {
  return turn + ((((deg - turn) % 360) + 540) % 360) - 180
}

export const WORD_MS = 5000
