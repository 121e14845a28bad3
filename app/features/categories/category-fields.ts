/** What a category's title and theme colour may be; the page and the server ask the same. */

export const LONGEST_TITLE = 100
export const NO_TITLE = 'Please enter a title'
export const TITLE_TOO_LONG = `At most ${LONGEST_TITLE} characters`
export const NO_COLOR = 'Please choose a color such as #c98a5e'

export function refuseTitle(typed: string): string | null {
  const { length } = typed.trim()
  if (length === 0) return NO_TITLE
  return length > LONGEST_TITLE ? TITLE_TOO_LONG : null
}

/** '#C98A5E', 'c98a5e' and '#abc' as '#c98a5e' and '#aabbcc'; null for anything else. */
export function readThemeColor(typed: string): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(typed.trim().toLowerCase())?.[1]
  if (!digits) return null
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}
