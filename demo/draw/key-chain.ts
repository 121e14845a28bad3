// Key chains: a split ring with a key, and a small knotted pendant.
import type { Design } from '../record.ts'
import { fringe, leaf, tassel } from './fringe.ts'
import { larksHead, rib, spiralSinnet, squareSinnet, wrap, type Cord } from './knot.ts'
import type { Random } from './random.ts'
import { arc, bead, layer, moved, plot, stroke, type Layer, type Shape } from './shape.ts'
import { beech, brass, steel, walnut, type Cords } from './stock.ts'
import { rainbow } from './wall-hanging.ts'

type Motif = Extract<Design, { kind: 'key-chain' }>['motif']

// The ring's lowest point, where every pendant begins.
const hang = { x: 700, y: 330 }

function key(turn: number): Shape[] {
  const metal = (points: number[], radius: number) => stroke(points, { radius, ramp: steel, material: 'metal' })
  const body = [
    metal(arc(0, 78, 50, 44, 0, 1, 50), 15),
    metal([0, 128, 0, 240, 0, 372], 13),
    metal([6, 330, 34, 330, 40, 330], 12),
    metal([6, 364, 26, 364, 30, 364], 12),
    metal([-13, 140, 0, 140, 13, 140], 9),
  ]
  return moved(body, 796, 262, 1, turn)
}

function ring(): Shape[] {
  return [
    stroke(arc(700, 225, 98, 98, 0, 1, 90), { radius: 11, ramp: brass, material: 'metal' }),
    stroke(arc(702, 228, 92, 92, 0.05, 0.96, 90), { radius: 6, ramp: brass, material: 'metal' }),
  ]
}

function loop(cord: Cord): Shape[] {
  return [
    ...larksHead(hang.x, hang.y - 8, 13, cord),
    ...[-1, 1].map((side) =>
      stroke(
        [hang.x + side * cord.radius, hang.y + 20, hang.x + side * cord.radius, hang.y + 50, hang.x + side * cord.radius, hang.y + 80],
        { radius: cord.radius, ramp: cord.ramp },
      ),
    ),
  ]
}

function heartLine(size: number, cx: number, cy: number): number[] {
  return plot(70, (t) => {
    const a = t * 2 * Math.PI
    return [
      cx + size * Math.sin(a) ** 3,
      cy - (size / 16) * (13 * Math.cos(a) - 5 * Math.cos(2 * a) - 2 * Math.cos(3 * a) - Math.cos(4 * a)),
    ]
  })
}

/** A heart of rib within rib, from the outside in. */
export function heart(cx: number, cy: number, size: number, cord: Cord): Shape[] {
  const shapes: Shape[] = []
  for (let s = cord.radius * 1.5; s < size; s += cord.radius * 2.35) shapes.push(...rib(heartLine(s, cx, cy), cord, 1.25))
  return [...shapes, ...rib(heartLine(size, cx, cy), cord, 1.5)]
}

const motifs: Record<Motif, (cords: Cords, random: Random) => Shape[]> = {
  bar: (cords, random) => {
    const cord = cords(0, 21)
    const sinnet = squareSinnet(hang.x, 400, 5, cord)
    const core = [-1.5, -0.5, 0.5, 1.5].map((i) =>
      stroke([hang.x + i * 26, 380, hang.x + i * 26, 600, hang.x + i * 26, sinnet.end + 10], { radius: 20, ramp: cord.ramp, tone: 0.8 }),
    )
    return [
      ...fringe(
        hang.x - 62,
        hang.x + 62,
        { ...cord, radius: 9 },
        () => sinnet.end + 30,
        () => sinnet.end + 300,
        random,
      ),
      ...core,
      ...sinnet.shapes,
      ...wrap(hang.x, sinnet.end + 12, 58, 3, { ...cord, radius: 13 }),
    ]
  },
  spiral: (cords, random) => {
    const cord = cords(0, 20)
    const sinnet = spiralSinnet(hang.x, 400, 14, cord)
    return [
      ...fringe(
        hang.x - 44,
        hang.x + 44,
        { ...cord, radius: 8 },
        () => sinnet.end + 90,
        () => sinnet.end + 280,
        random,
      ),
      ...sinnet.shapes,
      bead(hang.x, sinnet.end + 62, 54, beech, 0.92),
      ...wrap(hang.x, sinnet.end + 118, 44, 3, { ...cord, radius: 10 }),
    ]
  },
  heart: (cords, random) => {
    const cord = cords(0, 15)
    return [
      ...fringe(
        hang.x - 70,
        hang.x + 70,
        { ...cord, radius: 7.5 },
        (x) => 830 - Math.abs(x - hang.x) * 0.8,
        (x) => 1140 - Math.abs(x - hang.x) * 0.9,
        random,
      ),
      ...heart(hang.x, 620, 255, cord),
    ]
  },
  feather: (cords, random) => [...leaf(hang.x, 400, 150, 760, cords(0, 22), random, 0.03), ...wrap(hang.x, 392, 26, 4, cords(0, 12))],
  rainbow: (cords, random) => moved(rainbow(cords, 3, random), 700 - 700 * 0.72, 405 - 188 * 0.72, 0.72),
  tassel: (cords, random) => [
    bead(hang.x, 424, 48, beech, 0.9),
    bead(hang.x, 514, 56, walnut, 0.9),
    ...tassel(hang.x, 562, 96, 600, cords(0, 18), random),
  ],
}

export function keyChain(motif: Motif, cords: Cords, random: Random): Layer[] {
  return [
    layer(key(motif === 'heart' || motif === 'rainbow' ? -1.25 : -0.62), 16),
    layer([...motifs[motif](cords, random), ...ring(), ...loop(cords(0, 15))], 20),
  ]
}
