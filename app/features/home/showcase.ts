import type { ItemCard } from '#app/features/catalog/catalog.ts'
import type { PictureView } from '#app/ui/picture.tsx'

export type ShowcaseView = {
  id: string
  title: string
  categoryId: string
  categoryTitle: string
  deg: number
  picture: PictureView | null
}

export type NewPiece = Pick<ItemCard, 'id' | 'name' | 'priceCents' | 'discount' | 'picture'>

/** The first `count`, of as many different categories as there are: four pieces show more of the work than four of one kind. */
export function mixed<T extends { categoryId: string }>(newest: readonly T[], count: number): T[] {
  const firsts = newest.filter((piece, at) => newest.findIndex(({ categoryId }) => categoryId === piece.categoryId) === at)
  const chosen = new Set([...new Set([...firsts, ...newest])].slice(0, count))
  return newest.filter((piece) => chosen.has(piece))
}

const CLOSEST = 20

const apart = (a: number, b: number) => Math.abs(((((a - b) % 360) + 540) % 360) - 180)

/** S-020: where each record stands on the ring; records that would cover one another are spread evenly in their order. */
export function placeOnRing(records: readonly { deg: number }[]): number[] {
  const degs = records.map(({ deg }) => ((deg % 360) + 360) % 360)
  const isCrowded = degs.some((a, i) => degs.some((b, j) => i < j && apart(a, b) < CLOSEST))
  return isCrowded ? records.map((_, i) => (i * 360) / records.length) : degs
}

export function turnTo(turn: number, deg: number): number {
  return turn + ((((deg - turn) % 360) + 540) % 360) - 180
}

export const HEADLINE = 'Knotted by hand, with love:'

export const suffixWords = [
  'wall hangings',
  'plant hangers',
  'key chains',
  'coasters',
  'market bags',
  'garlands',
  'dream catchers',
  'earrings',
  'table runners',
  'lampshades',
  'tassels',
  'curtains',
  'bookmarks',
  'cushions',
  'hammocks',
  'tiny presents',
] as const

export const WORD_TIME = 5000
