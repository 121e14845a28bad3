// Loose ends: fringe, tassels, brushed leaves, and the cords that hang from a bar and are pulled together by knots.
import type { Cord } from './knot.ts'
import { wrap } from './knot.ts'
import type { Random } from './random.ts'
import { smooth, stroke, type Shape } from './shape.ts'

/** A place that draws the cords around it together; negative strength pushes them apart. */
export type Pull = { x: number; y: number; reachX: number; reachY: number; strength: number }

function pulled(x: number, y: number, pulls: Pull[]): number {
  let shift = 0
  for (const pull of pulls) {
    const across = (x - pull.x) / pull.reachX
    const down = (y - pull.y) / pull.reachY
    if (Math.abs(across) >= 1 || Math.abs(down) >= 1) continue
    const ease = (1 + Math.cos(Math.PI * down)) / 2
    shift -= across * pull.reachX * pull.strength * ease * (1 - across ** 4)
  }
  return x + shift
}

/** Cords hanging side by side from `top(x)` to `bottom(x)`, gathered where knots pull. */
export function curtain(
  from: number,
  to: number,
  cord: Cord,
  top: (x: number) => number,
  bottom: (x: number) => number,
  pulls: Pull[],
  random: Random,
): Shape[] {
  const shapes: Shape[] = []
  const count = Math.max(1, Math.round((to - from) / (cord.radius * 2)))
  for (let i = 0; i < count; i++) {
    const x = from + ((i + 0.5) * (to - from)) / count
    const [start, end] = [top(x), bottom(x)]
    const steps = Math.max(2, Math.round((end - start) / 18))
    const anchors: number[] = []
    for (let s = 0; s <= steps; s++) {
      const y = start + ((end - start) * s) / steps
      anchors.push(pulled(x, y, pulls), y)
    }
    shapes.push(stroke(smooth(anchors, 2), { radius: cord.radius, ramp: cord.ramp, tone: random.between(0.93, 1.02) }))
  }
  return shapes
}

/** Loose fringe: two rows of strands, the back one in shade, each with its own way of hanging. */
export function fringe(
  from: number,
  to: number,
  cord: Cord,
  top: (x: number) => number,
  bottom: (x: number) => number,
  random: Random,
): Shape[] {
  const shapes: Shape[] = []
  for (const row of [0, 1]) {
    const count = Math.round((to - from) / (cord.radius * (row === 0 ? 2.1 : 1.75)))
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => ((a * 7919) % 13) - ((b * 7919) % 13))
    for (const i of order) {
      const x = from + ((i + 0.5) * (to - from)) / count
      const [start, end] = [top(x), bottom(x) + random.between(-1, 1) * cord.radius * 1.4 - (row === 0 ? cord.radius : 0)]
      const sway = random.between(-1, 1) * cord.radius * 0.9
      const length = end - start
      const anchors = [
        x,
        start,
        x + sway * 0.4,
        start + length * 0.3,
        x + sway,
        start + length * 0.62,
        x + sway * random.between(0.2, 1.4),
        end,
      ]
      shapes.push(
        stroke(smooth(anchors, Math.max(4, Math.round(length / 70))), {
          radius: cord.radius,
          endRadius: cord.radius * random.between(0.95, 1.1),
          ramp: cord.ramp,
          material: 'string',
          tone: row === 0 ? random.between(0.62, 0.74) : random.between(0.88, 1.04),
        }),
      )
    }
  }
  return shapes
}

/** A tassel hung at (x, y): a round head, a wrap and a skirt of brushed strands. */
export function tassel(x: number, y: number, half: number, length: number, cord: Cord, random: Random, wrapCord: Cord = cord): Shape[] {
  const shapes: Shape[] = []
  const thin = Math.max(1.6, Math.min(cord.radius * 0.55, half * 0.16))
  const neck = y + half * 1.5
  const strands = Math.round((half * 2.6) / thin)
  for (const row of [0, 1]) {
    for (let i = 0; i < strands; i++) {
      const side = ((i + 0.5) / strands) * 2 - 1
      const [sx, ex] = [x + side * half * 0.72, x + side * half * 1.22 + random.between(-1, 1) * thin]
      const end = y + length - side * side * half * 0.12 + random.between(-1, 1) * thin * 1.6
      const tone = (1 - 0.2 * side * side) * (row === 0 ? 0.72 : random.between(0.86, 1.06))
      const belly = x + side * half * 1.12 + random.between(-1, 1) * thin * 0.6
      shapes.push(
        stroke(smooth([sx, neck, belly, neck + (end - neck) * 0.4, ex, end], 6), {
          radius: thin,
          ramp: cord.ramp,
          material: 'string',
          tone,
        }),
      )
    }
  }
  const loops = Math.max(5, Math.round((half * 2.1) / (thin * 1.5)))
  for (let i = 0; i < loops; i++) {
    const side = ((i + 0.5) / loops) * 2 - 1
    shapes.push(
      stroke(
        smooth(
          [
            x + side * half * 0.2,
            y,
            x + side * half * 0.95,
            y + half * 0.55,
            x + side * half * 0.98,
            y + half,
            x + side * half * 0.72,
            neck + thin * 2,
          ],
          5,
        ),
        {
          radius: thin * 1.1,
          ramp: cord.ramp,
          material: 'string',
          tone: 1.02 - 0.16 * side * side,
        },
      ),
    )
  }
  const tie = { ramp: wrapCord.ramp, radius: Math.max(2, half * 0.13) }
  return [...shapes, ...wrap(x, neck - half * 0.12, half * 0.8, 4, tie)]
}

/** A brushed leaf hung at (x, y), trimmed to a leaf's outline, with a knotted spine. `turn` in radians swings it about its stem. */
export function leaf(x: number, y: number, half: number, length: number, cord: Cord, random: Random, turn = 0): Shape[] {
  const shapes: Shape[] = []
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const place = (px: number, py: number) => [x + px * cos - py * sin, y + px * sin + py * cos]
  const thin = Math.max(1.5, cord.radius * 0.34)
  const outline = (share: number) => half * Math.sin(Math.PI * Math.min(1, share * 0.92 + 0.08) ** 0.8) ** 0.75
  const rows = Math.round(length / (thin * 1.25))
  for (const layerTone of [0.8, 1]) {
    for (let i = 0; i < rows; i++) {
      const share = i / rows
      const start = share * length * 0.93
      for (const side of [-1, 1]) {
        const reach = outline(share) * random.between(0.93, 1.03) * (layerTone === 1 ? 1 : 1.02)
        const drop = reach * 0.62 + length * 0.045
        shapes.push(
          stroke(
            smooth(
              [
                ...place(0, start),
                ...place(side * reach * 0.55, start + drop * 0.38),
                ...place(side * reach, start + drop + random.between(-1, 1) * thin),
              ],
              4,
            ),
            {
              radius: thin,
              endRadius: thin * 0.75,
              ramp: cord.ramp,
              material: 'fibre',
              tone: layerTone * random.between(0.86, 1.08) * (side > 0 ? 0.94 : 1.03),
            },
          ),
        )
      }
    }
  }
  const spine = Array.from({ length: 13 }, (_, i) => place(0, -length * 0.03 + (i / 12) * length * 0.95)).flat()
  shapes.push(stroke(spine, { radius: cord.radius * 0.62, ramp: cord.ramp }))
  return shapes
}
