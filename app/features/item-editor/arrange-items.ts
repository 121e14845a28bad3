/** More would make dragging slow; the owner chooses a category. */
export const MAX_ARRANGED = 300

/** `to`: the new place, from 1; beyond the end means the end. null: invalid, or unknown item */
export function orderAfterMove(order: readonly string[], id: string, to: number): string[] | null {
  const from = order.indexOf(id)
  if (from < 0 || !Number.isSafeInteger(to) || to < 1) return null
  return order.toSpliced(from, 1).toSpliced(to - 1, 0, id)
}

/** The items of `wanted` take their own places in a new order, and all others stay where they are. */
export function withOrderOf(present: readonly string[], wanted: readonly string[]): string[] {
  const there = new Set(present)
  const known = [...new Set(wanted)].filter((id) => there.has(id))
  const moved = new Set(known)
  let next = 0
  return present.map((id) => (moved.has(id) ? known[next++]! : id))
}
