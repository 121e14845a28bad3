// The knots of macrame as strokes: lark's head, square knot, half knot, half-hitch rib, wrap. Sizes follow the cord's radius.
import { along, smooth, stroke, type Shape } from './shape.ts'
import type { Ramp } from './tone.ts'

export type Cord = { ramp: Ramp; radius: number }

/** A cord doubled over a bar whose middle is at y: two turns over the bar and the cross loop beneath. */
export function larksHead(x: number, y: number, bar: number, { ramp, radius: r }: Cord): Shape[] {
  const turn = (at: number) =>
    stroke(smooth([at, y - bar - r * 0.3, at, y - bar * 0.4, at, y + bar * 0.5, at, y + bar + r * 1.6], 5), {
      radius: r,
      ramp,
      isTucked: true,
    })
  const below = y + bar + r * 0.9
  const loop = smooth(
    [
      x - r * 2.1,
      below - r * 0.9,
      x - r * 1.5,
      below + r * 0.25,
      x,
      below + r * 0.6,
      x + r * 1.5,
      below + r * 0.25,
      x + r * 2.1,
      below - r * 0.9,
    ],
    5,
  )
  return [turn(x - r), turn(x + r), stroke(loop, { radius: r, ramp, isTucked: true })]
}

/** A square knot from y to about y + 4.4 radii, over its core cords. `spread` is half its width in radii. */
export function squareKnot(x: number, y: number, { ramp, radius: r }: Cord, spread = 2.7): Shape[] {
  const w = spread * r
  const bar = (side: 1 | -1, top: number) => {
    const line = [
      x - side * w,
      top - r * 0.25,
      x - side * w * 0.5,
      top + r * 0.1,
      x,
      top + r * 0.45,
      x + side * w * 0.5,
      top + r * 0.75,
      x + side * w,
      top + r * 0.8,
    ]
    return stroke(smooth(line, 5), { radius: r * 1.04, ramp, isTucked: true })
  }
  const loop = (side: 1 | -1, top: number) => {
    const [inner, outer] = [x + side * (w - r * 0.9), x + side * (w + r * 0.15)]
    const line = [
      inner,
      top - r * 1.1,
      outer,
      top - r * 0.45,
      outer + side * r * 0.2,
      top + r * 0.6,
      outer,
      top + r * 1.6,
      inner,
      top + r * 2.3,
    ]
    return stroke(smooth(line, 5), { radius: r * 0.98, ramp, isTucked: true })
  }
  return [bar(1, y), bar(-1, y + r * 1.9), loop(1, y + r * 0.55), loop(-1, y + r * 2.45)]
}

/** A square knot standing alone on a field of cords: its four ends come in from the sides and leave to them again. */
export function crossKnot(x: number, y: number, cord: Cord, spread = 2.7): Shape[] {
  const { ramp, radius: r } = cord
  const w = spread * r
  const limb = (side: 1 | -1, from: number, away: number) =>
    stroke(smooth([x + side * w * 2, from + away * r * 3.4, x + side * w * 1.5, from + away * r * 1.7, x + side * w * 0.7, from], 6), {
      radius: r,
      ramp,
      isTucked: true,
    })
  return [
    limb(-1, y + r * 0.2, -1),
    limb(1, y + r * 0.2, -1),
    limb(-1, y + r * 3.1, 1),
    limb(1, y + r * 3.1, 1),
    ...squareKnot(x, y, cord, spread),
  ]
}

export const squareKnotHeight = 3.85

/** A flat braid of square knots down from y; gives its lower end as well. */
export function squareSinnet(
  x: number,
  y: number,
  count: number,
  cord: Cord,
  sway: (y: number) => number = () => 0,
): { shapes: Shape[]; end: number } {
  const shapes: Shape[] = []
  const step = cord.radius * squareKnotHeight
  for (let i = 0; i < count; i++) shapes.push(...squareKnot(x + sway(y + i * step), y + i * step, cord))
  return { shapes, end: y + count * step }
}

/** Half knots over and over: the braid turns by itself. `lean` slants it along another line. */
export function spiralSinnet(
  x: number,
  y: number,
  count: number,
  { ramp, radius: r }: Cord,
  sway: (y: number) => number = () => 0,
): { shapes: Shape[]; end: number } {
  const shapes: Shape[] = []
  const step = r * 1.75
  for (let i = 0; i < count; i++) {
    const top = y + i * step
    const turn = (i / 8) * Math.PI
    const open = Math.abs(Math.cos(turn))
    const w = r * (1.45 + 1.35 * open)
    const cx = x + sway(top) + r * 0.35 * Math.sin(turn * 2)
    const slope = r * (1.1 + 1.5 * (1 - open))
    const line = [
      cx - w,
      top - slope * 0.6,
      cx - w * 0.62,
      top - slope * 0.1,
      cx,
      top + slope * 0.42,
      cx + w * 0.62,
      top + slope * 0.8,
      cx + w,
      top + slope * 1.25,
    ]
    shapes.push(stroke(smooth(line, 5), { radius: r, ramp, tone: 0.9 + 0.12 * open, isTucked: true }))
  }
  return { shapes, end: y + count * step }
}

/** A rib of half hitches along a line: wrap beside wrap, each slightly aslant. */
export function rib(line: number[], { ramp, radius: r }: Cord, height = 1.35): Shape[] {
  const shapes: Shape[] = []
  along(line, r * 1.72, (x, y, dx, dy, index) => {
    const slant = index % 2 === 0 ? 0.55 : 0.3
    const reach = r * height
    const [ux, uy] = [-dy * reach + dx * r * slant, dx * reach + dy * r * slant]
    shapes.push(
      stroke([x - ux, y - uy, x - ux * 0.5, y - uy * 0.5, x, y, x + ux * 0.5, y + uy * 0.5, x + ux, y + uy], {
        radius: r * 0.92,
        ramp,
        isTucked: true,
      }),
    )
  })
  return shapes
}

/** A gathering knot: turns of cord round a bundle of half width w, from y down. */
export function wrap(x: number, y: number, w: number, turns: number, { ramp, radius: r }: Cord): Shape[] {
  return Array.from({ length: turns }, (_, i) => {
    const top = y + i * r * 1.8
    return stroke(
      smooth([x - w, top - r * 0.2, x - w * 0.6, top + r * 0.35, x, top + r * 0.6, x + w * 0.6, top + r * 0.45, x + w, top], 5),
      { radius: r, ramp, isTucked: true },
    )
  })
}

/** Turns round a line, edge to edge: a wrapped hoop, a crescent, an arc of a rainbow. */
export function wound(line: number[], { ramp, radius: r }: Cord, width: number | ((index: number) => number)): Shape[] {
  const shapes: Shape[] = []
  along(line, r * 1.8, (x, y, dx, dy, index) => {
    const half = typeof width === 'number' ? width : width(index)
    const [nx, ny] = [-dy, dx]
    const bow = r * 0.5
    shapes.push(
      stroke(
        smooth(
          [
            x - nx * half,
            y - ny * half,
            x - nx * half * 0.5 + dx * bow * 0.8,
            y - ny * half * 0.5 + dy * bow * 0.8,
            x + dx * bow,
            y + dy * bow,
            x + nx * half * 0.5 + dx * bow * 0.8,
            y + ny * half * 0.5 + dy * bow * 0.8,
            x + nx * half,
            y + ny * half,
          ],
          3,
        ),
        { radius: r, ramp, isTucked: true },
      ),
    )
  })
  return shapes
}
