// What the pieces are built of: strokes of cord, wood or metal, and beads; in design units, before the camera looks at them.
import type { Ramp } from './tone.ts'

/** rope: three twisted strands. string: softer, looser twist. fibre: brushed cotton. wood and metal: dowels, hoops, hooks. */
export type Material = 'rope' | 'string' | 'fibre' | 'wood' | 'metal'

export type Stroke = {
  kind: 'stroke'
  /** x, y, x, y, …: a dense line */
  points: number[]
  radius: number
  /** radius at the far end, when it tapers */
  endRadius: number
  material: Material
  ramp: Ramp
  /** 1 is plain; less lies in the shade of what surrounds it */
  tone: number
  /** its ends bend under and lie in shade */
  isTucked: boolean
}

export type Bead = { kind: 'bead'; x: number; y: number; radius: number; stretch: number; ramp: Ramp }

export type Shape = Stroke | Bead

/** Layers lie one on another; `lift` is how far a layer stands off what is beneath it, and so how wide its shadow falls. */
export type Layer = { kind: 'shapes'; shapes: Shape[]; lift: number } | { kind: 'svg'; markup: string; lift: number; isFixed: boolean }

export type Camera = { scale: number; x: number; y: number; turn: number }

type StrokeLook = { radius: number; ramp: Ramp; material?: Material; tone?: number; endRadius?: number; isTucked?: boolean }

export function stroke(points: number[], look: StrokeLook): Stroke {
  const { radius, ramp, material = 'rope', tone = 1, endRadius = radius, isTucked = false } = look
  return { kind: 'stroke', points, radius, endRadius, material, ramp, tone, isTucked }
}

export function bead(x: number, y: number, radius: number, ramp: Ramp, stretch = 1): Bead {
  return { kind: 'bead', x, y, radius, ramp, stretch }
}

export function layer(shapes: Shape[], lift = 0): Layer {
  return { kind: 'shapes', shapes, lift }
}

export function svgLayer(markup: string, lift = 0, isFixed = false): Layer {
  return { kind: 'svg', markup, lift, isFixed }
}

/** A smooth line through the given points (Catmull-Rom), dense enough to bend softly. */
export function smooth(anchors: number[], steps = 8): number[] {
  const count = anchors.length / 2
  const at = (i: number, axis: 0 | 1) => anchors[Math.min(count - 1, Math.max(0, i)) * 2 + axis]!
  const points: number[] = []
  for (let i = 0; i < count - 1; i++) {
    for (let s = 0; s < steps; s++) {
      const t = s / steps
      for (const axis of [0, 1] as const) {
        const [a, b, c, d] = [at(i - 1, axis), at(i, axis), at(i + 1, axis), at(i + 2, axis)]
        points.push(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t))
      }
    }
  }
  points.push(at(count - 1, 0), at(count - 1, 1))
  return points
}

/** Part of an ellipse as a dense line; angles in turns (0 = right, 0.25 = down). */
export function arc(x: number, y: number, rx: number, ry: number, from: number, to: number, steps = 48): number[] {
  const points: number[] = []
  for (let i = 0; i <= steps; i++) {
    const angle = (from + ((to - from) * i) / steps) * 2 * Math.PI
    points.push(x + rx * Math.cos(angle), y + ry * Math.sin(angle))
  }
  return points
}

/** Walks along a dense line and calls back at even distances with the place and the direction there. */
export function along(
  points: number[],
  spacing: number,
  visit: (x: number, y: number, dx: number, dy: number, index: number) => void,
): void {
  let total = 0
  for (let i = 0; i + 3 < points.length; i += 2) total += Math.hypot(points[i + 2]! - points[i]!, points[i + 3]! - points[i + 1]!)
  // A whole number of steps, so that a closed round shows no seam.
  const step = total / Math.max(1, Math.round(total / spacing))
  let carry = step / 2
  let index = 0
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by] = [points[i]!, points[i + 1]!, points[i + 2]!, points[i + 3]!]
    const length = Math.hypot(bx - ax, by - ay)
    if (length === 0) continue
    const [dx, dy] = [(bx - ax) / length, (by - ay) / length]
    while (carry <= length) {
      visit(ax + dx * carry, ay + dy * carry, dx, dy, index++)
      carry += step
    }
    carry -= length
  }
}

/** The same shapes at another place and size: x and y are where the point (0, 0) comes to lie; `turn` in radians. */
export function moved(shapes: Shape[], x: number, y: number, scale = 1, turn = 0): Shape[] {
  const [cos, sin] = [Math.cos(turn) * scale, Math.sin(turn) * scale]
  const place = (px: number, py: number): [number, number] => [x + px * cos - py * sin, y + px * sin + py * cos]
  return shapes.map((shape) => {
    if (shape.kind === 'bead') {
      const [bx, by] = place(shape.x, shape.y)
      return { ...shape, x: bx, y: by, radius: shape.radius * scale }
    }
    const points: number[] = []
    for (let i = 0; i < shape.points.length; i += 2) points.push(...place(shape.points[i]!, shape.points[i + 1]!))
    return { ...shape, points, radius: shape.radius * scale, endRadius: shape.endRadius * scale }
  })
}

/** Points of a function of t from 0 to 1 as a dense line. */
export function plot(steps: number, at: (t: number) => [number, number]): number[] {
  return Array.from({ length: steps + 1 }, (_, i) => at(i / steps)).flat()
}
