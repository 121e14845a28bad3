import { categoryFormTexts as texts } from './texts.ts'

export const MAX_CATEGORY_TITLE_LENGTH = 100

export function validateTitle(typed: string) {
  const { length } = typed.trim()
  if (length === 0) return texts.noTitle
  return length > MAX_CATEGORY_TITLE_LENGTH ? texts.tooLong(MAX_CATEGORY_TITLE_LENGTH) : null
}

/** Converts 'C98A5E' to '#c98a5e' and '#abc' to '#aabbcc'. Returns null for other texts. */
export function parseThemeColor(typed: string) {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(typed.trim().toLowerCase())?.[1]
  if (!digits) return null
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}
