/** How far the two of a conversation have read. */
import type { ReadMark } from '#app/features/orders/order.ts'

/** Sequences of the newest messages read; 0 before the first. */
export type ReadUpTo = { viewer: number; other: number }

/** S-167: whoever else has a mark is the other side. */
export function readUpTo(marks: readonly ReadMark[], viewerId: string): ReadUpTo {
  const furthest = (isMeant: (mark: ReadMark) => boolean) => Math.max(0, ...marks.filter(isMeant).map(({ seq }) => seq))
  return { viewer: furthest(({ reader }) => reader === viewerId), other: furthest(({ reader }) => reader !== viewerId) }
}
