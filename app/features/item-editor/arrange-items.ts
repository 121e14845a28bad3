/** The page lists at most this many items, because dragging is slow in a longer list. To see the other items, the owner chooses a category. */
export const MAX_ARRANGED = 150

/** Moves an item to the place `to`. Place 1 is the first place, and a number beyond the end means the last place. Returns null if `to` is invalid or the item is unknown. */
export function orderAfterMove(order: readonly string[], id: string, to: number): string[] | null {
  const from = order.indexOf(id)
  if (from < 0 || !Number.isSafeInteger(to) || to < 1) return null
  return order.toSpliced(from, 1).toSpliced(to - 1, 0, id)
}

/** Sorts the ids of `wanted` within the places that these ids have in `present`. All other ids keep their places. */
export function withOrderOf(present: readonly string[], wanted: readonly string[]): string[] {
  const presentIds = new Set(present)
  const known = [...new Set(wanted)].filter((id) => presentIds.has(id))
  const moved = new Set(known)
  let next = 0
  return present.map((id) => (moved.has(id) ? known[next++]! : id))
}
