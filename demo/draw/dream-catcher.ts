// Dream catchers: a wrapped hoop with a web in it, and feathers, beads and fringe below.
import type { Design } from '../record.ts'
import { fringe, leaf } from './fringe.ts'
import { wound, wrap, type Cord } from './knot.ts'
import type { Random } from './random.ts'
import { arc, bead, layer, plot, smooth, stroke, type Layer, type Shape } from './shape.ts'
import { beech, walnut, type Cords } from './stock.ts'

type Web = Extract<Design, { kind: 'dream-catcher' }>['web']

/** The web as it is really tied: each round loops over the middles of the round before, drawn inwards. */
function web(points: [number, number][], rounds: number, cx: number, cy: number, cord: Cord, pullIn = 0.12): Shape[] {
  const shapes: Shape[] = []
  let ringPoints = points
  for (let round = 0; round < rounds; round++) {
    const next = ringPoints.map(([x, y], i): [number, number] => {
      const [nx, ny] = ringPoints[(i + 1) % ringPoints.length]!
      const [mx, my] = [(x + nx) / 2, (y + ny) / 2]
      return [mx + (cx - mx) * pullIn, my + (cy - my) * pullIn]
    })
    ringPoints.forEach(([x, y], i) => {
      const [mx, my] = next[i]!
      const [nx, ny] = ringPoints[(i + 1) % ringPoints.length]!
      shapes.push(stroke(smooth([x, y, mx, my, nx, ny], 6), { radius: cord.radius, ramp: cord.ramp, material: 'string' }))
    })
    ringPoints.forEach(([x, y]) => round > 0 && shapes.push(bead(x, y, cord.radius * 1.6, cord.ramp)))
    ringPoints = next
  }
  return shapes
}

const circle = (cx: number, cy: number, size: number, count: number) =>
  Array.from({ length: count }, (_, i): [number, number] => [
    cx + size * Math.cos((i / count) * 2 * Math.PI - Math.PI / 2),
    cy + size * Math.sin((i / count) * 2 * Math.PI - Math.PI / 2),
  ])

function hoop(cx: number, cy: number, size: number, cord: Cord): Shape[] {
  return wound(arc(cx, cy, size, size, 0, 1, 140), cord, 17)
}

function hanging(x: number, top: number, length: number, cord: Cord, feather: Cord, random: Random, size = 1): Shape[] {
  const end = top + length
  return [
    stroke(smooth([x, top, x + 2, top + length * 0.5, x, end + 20]), { radius: 4.5, ramp: cord.ramp }),
    ...leaf(x, end + 54 * size, 52 * size, 300 * size, feather, random, random.between(-0.06, 0.06)),
    bead(x, end - 10, 19 * size, beech),
    bead(x, end + 26 * size, 23 * size, walnut),
  ]
}

function loop(cx: number, top: number, cord: Cord): Shape[] {
  return [
    stroke(smooth([cx - 3, top, cx - 16, top - 70, cx, top - 118, cx + 16, top - 70, cx + 3, top]), { radius: 5, ramp: cord.ramp }),
    ...wrap(cx, top - 34, 13, 4, { ...cord, radius: 5 }),
    bead(cx, top - 116, 10, walnut),
  ]
}

function heartPoint(t: number, cx: number, cy: number, size: number): [number, number] {
  const a = t * 2 * Math.PI
  return [cx + size * Math.sin(a) ** 3, cy - (size / 16) * (13 * Math.cos(a) - 5 * Math.cos(2 * a) - 2 * Math.cos(3 * a) - Math.cos(4 * a))]
}

const webs: Record<Web, (cords: Cords, random: Random) => Shape[]> = {
  classic: (cords, random) => {
    const [cord, feather] = [cords(0, 6.5), cords(1, 10)]
    const [cx, cy, size] = [700, 470, 270]
    const tails: [number, number][] = [
      [-190, 130],
      [190, 130],
      [-95, 190],
      [95, 190],
      [0, 250],
    ]
    return [
      ...tails.flatMap(([dx, length]) =>
        hanging(cx + dx, cy + Math.sqrt(size ** 2 - dx ** 2), length, cord, dx % 190 === 0 && dx !== 0 ? cords(0, 10) : feather, random),
      ),
      ...web(circle(cx, cy, size, 14), 7, cx, cy, { ...cord, radius: 4 }),
      ...hoop(cx, cy, size, cord),
      bead(cx + 46, cy - 52, 22, beech),
      ...loop(cx, cy - size - 10, cord),
    ]
  },
  flower: (cords, random) => {
    const [cord, accent] = [cords(0, 6.5), cords(1, 6.5)]
    const [cx, cy, size] = [700, 450, 265]
    const petals = Array.from({ length: 8 }, (_, i) => {
      const a = (i / 8) * 2 * Math.PI
      const line = (reach: number, open: number) => [
        cx + 30 * Math.cos(a),
        cy + 30 * Math.sin(a),
        cx + reach * 0.6 * Math.cos(a - open),
        cy + reach * 0.6 * Math.sin(a - open),
        cx + reach * Math.cos(a),
        cy + reach * Math.sin(a),
        cx + reach * 0.6 * Math.cos(a + open),
        cy + reach * 0.6 * Math.sin(a + open),
        cx + 30 * Math.cos(a),
        cy + 30 * Math.sin(a),
      ]
      return [
        stroke(smooth(line(size - 14, 0.42), 8), { radius: 8, ramp: cord.ramp }),
        stroke(smooth(line(size * 0.66, 0.3), 8), { radius: 7, ramp: accent.ramp }),
      ]
    }).flat()
    const low = (x: number) => cy + Math.sqrt(Math.max(0, size ** 2 - (x - cx) ** 2)) - 6
    return [
      ...fringe(cx - 205, cx + 205, { ...cord, radius: 6.5 }, low, (x) => 1290 - Math.abs(x - cx) * 1.15, random),
      ...petals,
      ...hoop(cx, cy, size, cord),
      bead(cx, cy, 46, beech),
      ...loop(cx, cy - size - 10, cord),
    ]
  },
  moon: (cords, random) => {
    const [cord, accent] = [cords(0, 8), cords(1, 10)]
    const [cx, cy, size] = [700, 460, 265]
    const sickle = plot(120, (t) => {
      const angle = 0.2 + 0.35 + t * 5.2
      const out = size - 48 * Math.sin(Math.PI * t)
      return [cx + out * Math.cos(angle), cy + out * Math.sin(angle)]
    })
    const [wx, wy, inner] = [cx + 62, cy - 34, 142]
    const total = (5.2 * size) / (cord.radius * 1.8)
    const stars = [-150, -75, 0, 75, 150].flatMap((dx, i) => {
      const length = [190, 300, 130, 330, 220][i]!
      const top = cy + Math.sqrt(size ** 2 - dx ** 2)
      return dx === 0 || Math.abs(dx) === 150
        ? hanging(cx + dx, top, length, cord, dx === 0 ? cords(0, 10) : accent, random, 0.9)
        : [
            stroke([cx + dx, top, cx + dx, top + length * 0.5, cx + dx, top + length], { radius: 3.5, ramp: cord.ramp }),
            ...[0.35, 0.62, 0.8, 1].map((s, k) => bead(cx + dx, top + length * s, 12 + (k % 2) * 7, k % 2 ? walnut : beech)),
          ]
    })
    return [
      ...stars,
      ...web(circle(wx, wy, inner, 11), 5, wx, wy, { ...cord, radius: 3.6, ramp: accent.ramp }),
      ...wound(arc(wx, wy, inner, inner, 0, 1, 90), { ...accent, radius: 5 }, 10),
      ...wound(sickle, cord, (i) => 12 + 58 * Math.sin(Math.PI * Math.min(1, i / (total * 0.95))) ** 1.3),
      ...loop(cx, cy - size + 8, cord),
    ]
  },
  double: (cords, random) => {
    const [cord, accent] = [cords(0, 6.5), cords(1, 9)]
    const feathers: [number, number, number][] = [
      [-205, 330, 300],
      [205, 330, 300],
      [-130, 850, 90],
      [130, 850, 90],
      [0, 905, 110],
    ]
    return [
      ...[-60, 60].map((dx) => stroke([700 + dx, 560, 700 + dx * 0.9, 620, 700 + dx, 690], { radius: 5, ramp: cord.ramp })),
      ...feathers.flatMap(([dx, top, length]) =>
        hanging(700 + dx, top + (Math.abs(dx) > 200 ? 80 : -20), length, cord, accent, random, 0.82),
      ),
      ...web(circle(700, 340, 235, 12), 6, 700, 340, { ...cord, radius: 4 }),
      ...hoop(700, 340, 235, cord),
      ...web(circle(700, 770, 135, 13), 7, 700, 770, { ...cords(1, 3.4) }),
      ...hoop(700, 770, 135, cords(1, 6)),
      bead(700, 340, 24, beech),
      ...loop(700, 98, cord),
    ]
  },
  heart: (cords, random) => {
    const [cord, accent] = [cords(0, 6.5), cords(1, 10)]
    const [cx, cy, size] = [700, 450, 285]
    const points = Array.from({ length: 20 }, (_, i) => heartPoint(i / 20, cx, cy, size))
    const line = plot(140, (t) => heartPoint(t, cx, cy, size))
    const tails: [number, number, number][] = [
      [-150, 130, 150],
      [150, 130, 150],
      [-70, 215, 170],
      [70, 215, 170],
      [0, 275, 200],
    ]
    return [
      ...tails.flatMap(([dx, top, length], i) => hanging(cx + dx, cy + top, length, cord, i % 2 ? cords(0, 10) : accent, random, 0.9)),
      ...web(points, 7, cx, cy - 10, { ...accent, radius: 4 }, 0.14),
      ...wound(line, cord, 17),
      bead(cx, cy - 24, 24, beech),
      ...loop(cx, cy - 90, cord),
    ]
  },
}

export function dreamCatcher(kind: Web, cords: Cords, random: Random): Layer[] {
  return [layer(webs[kind](cords, random), 26)]
}
