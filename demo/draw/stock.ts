// What the workshop has in stock: cords by colour, woods, metals, and linen for linings.
import { colors } from '../colors.ts'
import type { Cord } from './knot.ts'
import { ramp, type Ramp } from './tone.ts'

export const beech: Ramp = ramp('#d2a671', '#7d5230')
export const walnut: Ramp = ramp('#8a5d3c', '#3d2414')
export const birch: Ramp = ramp('#e3c79c', '#9a7347')
export const brass: Ramp = ramp('#dcb663', '#5d4317', 0.85)
export const steel: Ramp = ramp('#c3c4c6', '#4c4d52', 0.9)

export function color(id: string) {
  const found = colors.find((candidate) => candidate.id === id)
  if (!found) throw new Error(`no cord of colour ${id}`)
  return found
}

export function cordOf(id: string, radius: number): Cord {
  const { base, shade } = color(id)
  return { ramp: ramp(base, shade), radius }
}

/** The n-th of a piece's colours, beginning again when it has fewer. */
export function cordsOf(ids: string[]): (index: number, radius: number) => Cord {
  return (index, radius) => cordOf(ids[index % ids.length] ?? 'natural-cream', radius)
}

export type Cords = ReturnType<typeof cordsOf>
