import { colorName, type Color } from '#catalog/catalog.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import { colorFlagTexts, colorFormTexts } from './texts.ts'

export const MAX_COLOR_NAME_LENGTH = 100

export const storedColorName = (typed: string) => typed.trim().replace(/\s+/g, '_')

/** Does not compare names, because several colors may have the same one. [S-102] */
export function validateColorName(typed: string) {
  const { length } = storedColorName(typed)
  if (length === 0) return colorFormTexts.noName
  return length > MAX_COLOR_NAME_LENGTH ? colorFormTexts.tooLong(MAX_COLOR_NAME_LENGTH) : null
}

export type ColorFlag = keyof typeof colorFlagTexts
export const isColorFlag = (text: string): text is ColorFlag => Object.hasOwn(colorFlagTexts, text)

/** `first` contains only the first few of `count` items. */
export type ColorUses = { count: number; first: { id: string; name: string }[] }

export type ColorFilter = { words: string; only: 'all' | 'low' | 'gone' }
export const ALL_COLORS: ColorFilter = { words: '', only: 'all' }

export function filterColors<T extends Pick<Color, 'name' | 'isAvailable' | 'isLowOnStock'>>(
  colors: readonly T[],
  filter: ColorFilter,
) {
  const words = normalizeForSearch(filter.words.replaceAll('_', ' ')).split(/\s+/)
  return colors.filter((color) => {
    if (filter.only === 'low' && !color.isLowOnStock) return false
    if (filter.only === 'gone' && color.isAvailable) return false
    const name = normalizeForSearch(colorName(color))
    return words.every((word) => name.includes(word))
  })
}
