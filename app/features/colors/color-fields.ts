import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { fold } from '#app/platform/fold.ts'

export const NO_COLOR_NAME = 'Please enter a name'
/** A name is read in a swatch's label, not in a paragraph. */
export const LONGEST_NAME = 100
export const NAME_TOO_LONG = `At most ${LONGEST_NAME} characters`

/** COLOR-11, S-102, S-103: spaces become underscores. */
export const storedColorName = (typed: string): string => typed.trim().replace(/\s+/g, '_')

/** S-102: an empty name is refused, a doubled one is not. */
export function refuseColorName(typed: string): string | null {
  const { length } = storedColorName(typed)
  if (length === 0) return NO_COLOR_NAME
  return length > LONGEST_NAME ? NAME_TOO_LONG : null
}

export const colorMarks = { isAvailable: 'available', isLowOnStock: 'low stock' } as const
export type ColorMark = keyof typeof colorMarks
export const isColorMark = (text: string): text is ColorMark => Object.hasOwn(colorMarks, text)

export type ColorUse = { id: string; name: string }
export type ColorUses = { count: number; first: ColorUse[] }
/** More would push the answer out of sight. */
export const NAMED = 5
export const NO_USES: ColorUses = { count: 0, first: [] }

export type ColorFilter = { words: string; only: 'all' | 'low' | 'gone' }
export const EVERY_COLOR: ColorFilter = { words: '', only: 'all' }

export function filterColors<T extends Pick<Color, 'name' | 'isAvailable' | 'isLowOnStock'>>(
  colors: readonly T[],
  filter: ColorFilter,
): T[] {
  const words = fold(filter.words.replaceAll('_', ' ')).split(/\s+/)
  return colors.filter((color) => {
    if (filter.only === 'low' && !color.isLowOnStock) return false
    if (filter.only === 'gone' && color.isAvailable) return false
    const name = fold(colorName(color))
    return words.every((word) => name.includes(word))
  })
}
