// Earrings: a pair on brass hooks, left and right mirrored.
import type { Design } from '../record.ts'
import { leaf, tassel } from './fringe.ts'
import { larksHead, rib, wound, wrap, type Cord } from './knot.ts'
import type { Random } from './random.ts'
import { arc, bead, layer, moved, smooth, stroke, type Layer, type Shape } from './shape.ts'
import { beech, brass, walnut, type Cords } from './stock.ts'
import { rainbow } from './wall-hanging.ts'

type EarringShape = Extract<Design, { kind: 'earrings' }>['shape']

const metal = (points: number[], radius = 6) => stroke(points, { radius, ramp: brass, material: 'metal' })

/** A fish hook whose eye lies at (0, 0). */
function hook(): Shape[] {
  return [
    metal(smooth([0, -22, -4, -60, 6, -130, 48, -168, 92, -140, 104, -70, 110, 20])),
    metal(arc(0, -6, 14, 14, 0, 1, 30), 5),
    bead(-2, -58, 11, brass),
    metal(arc(0, 22, 17, 17, 0, 1, 30), 5),
  ]
}

/** Strands spreading from a row, brushed and cut to an arc. */
function fan(x: number, y: number, half: number, length: number, cord: Cord, random: Random): Shape[] {
  const shapes: Shape[] = []
  const count = 64
  for (const tone of [0.78, 1]) {
    for (let i = 0; i < count; i++) {
      const side = ((i + 0.5) / count) * 2 - 1
      const angle = side * 0.92
      const reach = length * random.between(0.95, 1.02)
      const [sx, sy] = [x + side * half * 0.55, y]
      shapes.push(
        stroke(
          smooth(
            [
              sx,
              sy,
              sx + Math.sin(angle) * reach * 0.5,
              sy + Math.cos(angle) * reach * 0.55,
              sx + Math.sin(angle) * reach,
              sy + Math.cos(angle) * reach,
            ],
            5,
          ),
          { radius: cord.radius, endRadius: cord.radius * 0.8, ramp: cord.ramp, material: 'fibre', tone: tone * random.between(0.9, 1.06) },
        ),
      )
    }
  }
  return shapes
}

const makes: Record<EarringShape, (cords: Cords, random: Random) => Shape[]> = {
  fan: (cords, random) => {
    const cord = cords(0, 11)
    return [
      ...fan(0, 190, 130, 330, { ...cord, radius: 5 }, random),
      ...rib([-104, 196, -60, 222, 0, 232, 60, 222, 104, 196], cord),
      ...rib([-84, 160, -46, 184, 0, 192, 46, 184, 84, 160], cord),
      ...rib([-60, 126, 0, 154, 60, 126], cord),
      ...rib([-34, 96, 0, 114, 34, 96], cord),
      ...wrap(0, 44, 18, 3, cords(0, 9)),
    ]
  },
  hoop: (cords, random) => {
    const cord = cords(0, 9)
    const shapes: Shape[] = []
    const [cy, size] = [190, 148]
    const place = (t: number): [number, number] => [size * Math.cos(t), cy + size * Math.sin(t)]
    for (let i = 0; i < 13; i++) {
      const angle = 0.32 + (i / 12) * (Math.PI - 0.64)
      const [x, y] = place(angle)
      const end = 560 - Math.abs(x) * 0.95
      for (const dx of [-13, -5, 5, 13])
        shapes.push(
          stroke(smooth([x + dx * 0.7, y + 14, x + dx, (y + end) / 2, x + dx + random.between(-4, 4), end + random.between(-7, 7)]), {
            radius: 6.4,
            ramp: cord.ramp,
            material: 'string',
            tone: random.between(0.86, 1.03),
          }),
        )
    }
    shapes.push(metal(arc(0, cy, size, size, 0, 1, 90), 8))
    for (let i = 0; i < 13; i++) shapes.push(...larksHead(...place(0.32 + (i / 12) * (Math.PI - 0.64)), 9, cords(0, 7)))
    return shapes
  },
  teardrop: (cords) => {
    const cord = cords(0, 9)
    const shapes: Shape[] = []
    for (let s = 5; s >= 1; s--) {
      const k = s / 5
      const line = smooth(
        [
          0,
          300 - 250 * k,
          -58 * k,
          300 - 120 * k,
          -122 * k,
          300 + 30 * k,
          -92 * k,
          300 + 136 * k,
          0,
          300 + 176 * k,
          92 * k,
          300 + 136 * k,
          122 * k,
          300 + 30 * k,
          58 * k,
          300 - 120 * k,
          0,
          300 - 250 * k,
        ],
        6,
      )
      shapes.push(...(s === 5 ? wound(line, cord, 15) : [stroke(line, { radius: 13, ramp: cord.ramp })]))
    }
    return [...shapes, bead(0, 312, 36, beech)]
  },
  tassel: (cords, random) => [bead(0, 78, 44, walnut, 0.9), ...tassel(0, 118, 54, 480, cords(0, 12), random)],
  leaf: (cords, random) => [...leaf(0, 66, 108, 470, cords(0, 13), random), ...wrap(0, 46, 15, 3, cords(0, 8))],
  rainbow: (cords, random) => moved(rainbow(cords, 3, random), -700 * 0.42, 40 - 188 * 0.42, 0.42),
}

export function earrings(shape: EarringShape, cords: Cords, random: Random): Layer[] {
  const mirrored = (shapes: Shape[]): Shape[] =>
    shapes.map((piece) =>
      piece.kind === 'bead'
        ? { ...piece, x: -piece.x }
        : { ...piece, points: piece.points.map((value, i) => (i % 2 === 0 ? -value : value)) },
    )
  const one = [...makes[shape](cords, random), ...hook()]
  const other = [...makes[shape](cords, random), ...hook()]
  const size = { fan: 0.79, rainbow: 1.02 }[shape as string] ?? 1.22
  return [layer([...moved(one, 440, 420, size, 0.02), ...moved(mirrored(other), 960, 420, size, -0.03)], 13)]
}
