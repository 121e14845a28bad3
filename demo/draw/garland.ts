// Garlands: a sagging cord with tassels, leaves, bunting, hearts or stars.
import type { Design } from '../record.ts'
import { fringe, leaf, tassel } from './fringe.ts'
import { heart } from './key-chain.ts'
import { larksHead, rib, wrap } from './knot.ts'
import { net } from './net.ts'
import type { Random } from './random.ts'
import { bead, layer, moved, plot, smooth, stroke, type Layer, type Shape } from './shape.ts'
import { beech, walnut, type Cords } from './stock.ts'

type Pendant = Extract<Design, { kind: 'garland' }>['pendant']

const [left, right, high, sag] = [70, 1330, 420, 190]

/** The cord hangs between two pins; t from 0 to 1. */
export function sagging(t: number): [number, number] {
  return [left + (right - left) * t, high + sag * (1 - (2 * t - 1) ** 2)]
}

function triangle(cords: Cords, index: number, random: Random): Shape[] {
  const cord = cords(index, 6)
  const [half, depth] = [88, 190]
  return [
    ...fringe(
      -half + 6,
      half - 6,
      { ...cord, radius: 4.6 },
      (x) => 24 + depth * (1 - Math.abs(x) / half),
      (x) => 60 + (depth + 70) * (1 - Math.abs(x) / half),
      random,
    ),
    ...net({
      top: 22,
      rows: 5,
      columns: 6,
      drop: 33,
      left: (y) => -half * (1 - (y - 16) / (depth + 40)),
      right: (y) => half * (1 - (y - 16) / (depth + 40)),
      cord,
      spread: 1.9,
    }),
    ...rib([-half, 8, 0, 8, half, 8], cord),
    ...rib([-half, 12, -half / 2, depth / 2 + 18, 0, depth + 26, half / 2, depth / 2 + 18, half, 12], cord),
  ]
}

function star(cords: Cords, index: number, random: Random): Shape[] {
  const cord = cords(index, 7)
  const corner = (i: number, size: number): [number, number] => [
    size * Math.sin((i * Math.PI) / 5),
    110 - size * Math.cos((i * Math.PI) / 5),
  ]
  const outline = (size: number) => Array.from({ length: 11 }, (_, i) => corner(i, i % 2 ? size * 0.45 : size)).flat()
  const tufts = [2, 4, 6, 8].flatMap((i) => {
    const [x, y] = corner(i, 88)
    return moved(
      fringe(
        -9,
        9,
        { ...cord, radius: 2.6 },
        () => 0,
        () => 30,
        random,
      ),
      x,
      y,
      1,
      (i * Math.PI) / 5 + Math.PI,
    )
  })
  return [
    ...tufts,
    ...[20, 42, 64].flatMap((size) => rib(outline(size), { ...cord, radius: 5.4 }, 1.25)),
    ...rib(outline(88), cord, 1.3),
    stroke([0, -4, 0, 10, 0, 24], { radius: 3, ramp: cord.ramp }),
  ]
}

const pendants: Record<Pendant, { count: number; make: (cords: Cords, index: number, random: Random) => Shape[] }> = {
  tassels: { count: 9, make: (cords, index, random) => tassel(0, 10, 34, 250, cords(index, 9), random) },
  leaves: {
    count: 15,
    make: (cords, index, random) => [
      ...leaf(0, 26, 40, 210 + (index % 3) * 26, cords(index, 8), random, random.between(-0.18, 0.18)),
      ...wrap(0, 12, 9, 3, cords(index, 4)),
    ],
  },
  triangles: { count: 7, make: triangle },
  hearts: {
    count: 7,
    make: (cords, index) => [
      stroke([0, 0, 0, 20, 0, 60], { radius: 3.4, ramp: cords(index, 3).ramp }),
      ...heart(0, 112, 76, cords(index, 6.4)),
    ],
  },
  stars: { count: 7, make: star },
}

export function garland(pendant: Pendant, cords: Cords, random: Random): Layer[] {
  const { count, make } = pendants[pendant]
  const line = plot(60, sagging)
  const string = cords(0, 8)
  const shapes: Shape[] = [stroke(line, { radius: 8, ramp: string.ramp })]
  for (let i = 0; i < count; i++) {
    const [x, y] = sagging((i + 0.5) / count)
    shapes.push(...moved(make(cords, i, random), x, y))
    if (pendant === 'tassels' && i > 0) {
      const [bx, by] = sagging(i / count)
      shapes.push(bead(bx, by, 20, i % 2 ? beech : walnut))
    }
    if (pendant === 'tassels' || pendant === 'leaves' || pendant === 'hearts') shapes.push(...larksHead(x, y, 9, cords(i, 5)))
  }
  for (const t of [0, 1]) {
    const [x, y] = sagging(t)
    const side = t === 0 ? -1 : 1
    shapes.push(
      stroke(smooth([x, y, x + side * 28, y - 26, x + side * 4, y - 44, x - side * 10, y - 14, x, y]), { radius: 6, ramp: string.ramp }),
      bead(x + side * 6, y - 36, 12, walnut),
    )
    shapes.push(
      ...moved(
        fringe(
          -10,
          10,
          { ...string, radius: 4 },
          () => 0,
          () => 120,
          random,
        ),
        x - side * 2,
        y + 8,
      ),
    )
  }
  return [layer(shapes, 20)]
}
