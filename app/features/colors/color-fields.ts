import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { colorFlagTexts, colorFormTexts } from './texts.ts'

export const MAX_COLOR_NAME_LENGTH = 100

/** Returns the name of a color as the shop stores it, with underscores instead of spaces. [COLOR-11, S-102, S-103] */
export const storedColorName = (typed: string): string => typed.trim().replace(/\s+/g, '_')

/** Returns an error text if the name of a color is empty or too long, and otherwise null. Several colors may have the same name. [S-102] */
export function validateColorName(typed: string): string | null {
  const { length } = storedColorName(typed)
  if (length === 0) return colorFormTexts.noName
  return length > MAX_COLOR_NAME_LENGTH ? colorFormTexts.tooLong(MAX_COLOR_NAME_LENGTH) : null
}

export type ColorFlag = keyof typeof colorFlagTexts
export const isColorFlag = (text: string): text is ColorFlag => Object.hasOwn(colorFlagTexts, text)

export type ColorUse = { id: string; name: string }
export type ColorUses = { count: number; first: ColorUse[] }
export const MAX_NAMED_USES = 5
export const NO_USES: ColorUses = { count: 0, first: [] }

export type ColorFilter = { words: string; only: 'all' | 'low' | 'gone' }
export const ALL_COLORS: ColorFilter = { words: '', only: 'all' }

export function filterColors<T extends Pick<Color, 'name' | 'isAvailable' | 'isLowOnStock'>>(
  colors: readonly T[],
  filter: ColorFilter,
): T[] {
  const words = normalizeForSearch(filter.words.replaceAll('_', ' ')).split(/\s+/)
  return colors.filter((color) => {
    if (filter.only === 'low' && !color.isLowOnStock) return false
    if (filter.only === 'gone' && color.isAvailable) return false
    const name = normalizeForSearch(colorName(color))
    return words.every((word) => name.includes(word))
  })
}
