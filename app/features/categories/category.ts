import { categoryFormTexts as texts } from './texts.ts'

export const MAX_TITLE_LENGTH = 100

export function validateTitle(typed: string): string | null {
  const { length } = typed.trim()
  if (length === 0) return texts.noTitle
  return length > MAX_TITLE_LENGTH ? texts.tooLong(MAX_TITLE_LENGTH) : null
}

/** Turns '#C98A5E', 'c98a5e' and '#abc' into '#c98a5e' and '#aabbcc'; null: invalid. */
export function parseThemeColor(typed: string): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(typed.trim().toLowerCase())?.[1]
  if (!digits) return null
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}

/** `wanted` comes first, categories that were added since follow, and deleted ones are dropped. */
export function orderAfter(present: readonly string[], order: readonly string[]): string[] {
  const known = [...new Set(order)].filter((id) => present.includes(id))
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
