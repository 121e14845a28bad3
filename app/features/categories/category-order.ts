/** The order of the categories: what a wish for one makes of the present one. */

/** `wanted` first, as it says; what it does not know (added meanwhile) stays behind it in its order, what is gone is left out. */
export function orderAfter(present: readonly string[], wanted: readonly string[]): string[] {
  const known = [...new Set(wanted)].filter((id) => present.includes(id))
  return [...known, ...present.filter((id) => !known.includes(id))]
}

/** One step forward (-1) or back (1); at the ends nothing moves. */
export function orderAfterStep(present: readonly string[], id: string, by: -1 | 1): string[] {
  const order = [...present]
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return order
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}
