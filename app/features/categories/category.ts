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

/** `wanted` first, as it says; what it does not know (added meanwhile) stays behind it in its order, what is gone is left out. */
export function orderAfter(present: readonly string[], wanted: readonly string[]): string[] {
  const known = [...new Set(wanted)].filter((id) => present.includes(id))
  return [...known, ...present.filter((id) => !known.includes(id))]
}

export function orderAfterStep(present: readonly string[], id: string, by: -1 | 1): string[] {
  const order = [...present]
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return order
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}
