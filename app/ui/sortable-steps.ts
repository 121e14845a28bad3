export function movedTo<T>(entries: readonly T[], from: number, to: number): T[] {
  const order = [...entries]
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}

/** The place that a key leads to from `at`; null: not a key that moves, undefined: there is no place in that direction. */
export function stepOf(key: string, at: number, count: number, columns: number): number | null | undefined {
  const row = columns > 1 ? columns : 1
  const to: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - row,
    ArrowDown: at + row,
    Home: 0,
    End: count - 1,
  }
  const place = to[key]
  if (place === undefined) return null
  return place >= 0 && place < count ? place : undefined
}
