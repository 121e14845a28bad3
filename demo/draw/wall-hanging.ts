// Wall hangings: a dowel on a cord, a knotted body, a shaped fringe.
import type { Design } from '../record.ts'
import { curtain, fringe, leaf, type Pull } from './fringe.ts'
import { crossKnot, larksHead, rib, squareKnot, wound, wrap, type Cord } from './knot.ts'
import { net } from './net.ts'
import type { Random } from './random.ts'
import { arc, bead, layer, plot, smooth, stroke, type Layer, type Shape } from './shape.ts'
import { beech, birch, cordOf, walnut, type Cords } from './stock.ts'
import type { Ramp } from './tone.ts'

type Pattern = Extract<Design, { kind: 'wall-hanging' }>['pattern']

const bar = 230
const [left, right, middle] = [330, 1070, 700]

function dowel(from: number, to: number, wood: Ramp): Shape[] {
  return [stroke([from, bar, (from + to) / 2, bar, to, bar], { radius: 17, ramp: wood, material: 'wood' })]
}

function hanger(from: number, to: number, cord: Cord): Shape[] {
  const rise = [from, bar - 8, (from + middle) / 2, (bar + 62) / 2 - 14, middle - 10, 66]
  const fall = [middle + 10, 66, (to + middle) / 2, (bar + 62) / 2 - 14, to, bar - 8]
  const nail = bead(middle, 66, 11, walnut)
  return [
    stroke(smooth(rise), { radius: 6, ramp: cord.ramp }),
    stroke(smooth(fall), { radius: 6, ramp: cord.ramp }),
    ...wrap(from, bar - 16, 19, 4, { ...cord, radius: 6 }),
    ...wrap(to, bar - 16, 19, 4, { ...cord, radius: 6 }),
    nail,
  ]
}

function heads(from: number, to: number, cord: Cord): Shape[] {
  const shapes: Shape[] = []
  const count = Math.round((to - from) / (cord.radius * 4))
  for (let i = 0; i < count; i++) shapes.push(...larksHead(from + ((i + 0.5) * (to - from)) / count, bar, 17, cord))
  return shapes
}

const level = (y: number) => () => y
const row = (y: number, from = left, to = right) => [from, y, (from + to) / 2, y, to, y]
const point = (depth: number, low: number) => (x: number) => low - (Math.abs(x - middle) / ((right - left) / 2)) * depth

function diamonds(cords: Cords, random: Random): Shape[] {
  const cord = cords(0, 8)
  const third = (right - left) / 3
  const centres = [0, 1, 2].map((i) => left + third * (i + 0.5))
  const [upper, heart, lower] = [345, 500, 655]
  const pulls: Pull[] = centres.map((x) => ({ x, y: heart, reachX: third * 0.5, reachY: 118, strength: 0.66 }))
  const zigzag = (from: number, to: number) => [left, from, ...centres.flatMap((x, i) => [x, to, left + third * (i + 1), from])]
  return [
    ...curtain(left, right, cord, level(bar), level(790), pulls, random),
    ...fringe(left, right, { ...cord, radius: 7.4 }, point(-0, 760), point(210, 1310), random),
    ...rib(row(318), cord),
    ...rib(zigzag(heart, upper), cord),
    ...rib(zigzag(heart, lower), cord),
    ...centres.flatMap((x) => crossKnot(x, heart - 20, { ...cord, radius: 12 }, 2.9)),
    ...rib(row(690), cord),
    ...centres.flatMap((_, i) => [0.25, 0.75].map((s) => left + third * (i + s))).flatMap((x) => squareKnot(x, 708, cord, 2.6)),
    ...rib(row(762), cord),
  ]
}

function chevron(cords: Cords, random: Random): Shape[] {
  const [first, second] = [cords(0, 8), cords(1, 8)]
  const valley = (y: number) => (x: number) => y + 250 - (Math.abs(x - middle) / 370) * 250
  const line = (y: number) => [left, y, middle, y + 250, right, y]
  const shapes = [
    ...curtain(left, right, first, level(bar), valley(690), [], random),
    ...fringe(left, right, { ...second, radius: 7.4 }, valley(660), (x) => valley(660)(x) + 390, random),
  ]
  const ys = [330, 352, 420, 442, 510, 532, 600, 622, 644, 666]
  ys.forEach((y, i) => shapes.push(...rib(line(y), i === 2 || i === 3 || i > 5 ? second : first)))
  return [
    ...shapes,
    ...rib(row(318), first),
    ...[470, 700, 930].flatMap((x) => crossKnot(x, 366 + (x === middle ? 30 : 0), { ...first, radius: 10 }, 2.8)),
  ]
}

function leaves(cords: Cords, random: Random): Shape[] {
  const drops = [210, 330, 450, 560, 450, 330, 210]
  return drops.flatMap((drop, i) => {
    const x = middle + (i - 3) * 122
    const cord = cords(i, 11)
    const string = { ...cord, radius: 6 }
    return [
      ...[-7, 7].map((dx) =>
        stroke(smooth([x + dx, bar, x + dx * 0.9, bar + drop * 0.5, x + dx * 0.5, bar + drop + 10]), { radius: 6, ramp: cord.ramp }),
      ),
      ...leaf(x, bar + drop, 66, 430, cord, random, random.between(-0.025, 0.025)),
      ...larksHead(x, bar, 17, string),
      ...wrap(x, bar + drop - 24, 13, 4, string),
    ]
  })
}

function openNet(cords: Cords, random: Random): Shape[] {
  const cord = cords(0, 7.5)
  return [
    ...curtain(left + 6, right - 6, { ...cord, radius: 7.5 }, level(bar), level(330), [], random),
    ...fringe(left + 4, right - 4, { ...cord, radius: 7 }, level(842), level(1300), random),
    ...curtain(left + 6, right - 6, cord, level(806), level(842), [], random),
    ...net({ top: 336, rows: 8, columns: 9, drop: 66, left: level(left), right: level(right), cord, spread: 2.5 }),
    ...rib(row(322), cord),
    ...rib(row(842), cord),
  ]
}

function layers(cords: Cords, random: Random): Shape[] {
  const [from, to] = [190, 1210]
  const [front, centre, back] = [cords(0, 8), cords(1, 8), cords(2, 8)]
  const bow = (y: number, depth: number) => (x: number) => y + depth * (1 - ((x - middle) / 510) ** 2)
  const edge = (y: number, depth: number) => plot(40, (t) => [from + (to - from) * t, bow(y, depth)(from + (to - from) * t)])
  const knots = (y: number, depth: number, cord: Cord) =>
    Array.from({ length: 17 }, (_, i) => from + ((i + 0.5) * (to - from)) / 17).flatMap((x) => squareKnot(x, bow(y, depth)(x), cord, 2.6))
  return [
    ...fringe(from, to, { ...back, radius: 7.6 }, level(bar + 20), bow(1020, 230), random),
    ...rib(edge(690, 130), centre),
    ...fringe(from, to, { ...centre, radius: 7.6 }, level(bar + 20), bow(790, 190), random),
    ...fringe(from, to, { ...front, radius: 7.6 }, bow(440, 60), bow(590, 140), random),
    ...curtain(from, to, front, level(bar), bow(450, 60), [], random),
    ...rib(row(318, from, to), front),
    ...knots(342, 24, front),
    ...rib(edge(395, 44), front),
    ...rib(edge(440, 60), front),
  ]
}

function mountains(cords: Cords, random: Random): Shape[] {
  const ridges: { peaks: number[]; cord: Cord }[] = [
    { peaks: [left, 560, 440, 430, 560, 590, 730, 380, 880, 600, 970, 480, right, 590], cord: cords(0, 7.6) },
    { peaks: [left, 690, 420, 760, 570, 600, 700, 780, 860, 650, 960, 760, right, 690], cord: cords(1, 7.6) },
    { peaks: [left, 850, 470, 940, 640, 820, 790, 960, 920, 850, right, 920], cord: cords(2, 7.6) },
  ]
  const height = (peaks: number[]) => (x: number) => {
    for (let i = 0; i + 3 < peaks.length; i += 2) {
      const [ax, ay, bx, by] = [peaks[i]!, peaks[i + 1]!, peaks[i + 2]!, peaks[i + 3]!]
      if (x <= bx) return ay + ((by - ay) * (x - ax)) / (bx - ax)
    }
    return peaks.at(-1)!
  }
  const sky = cordOf('oatmeal', 7.6)
  const shapes = curtain(left, right, sky, level(bar), level(620), [], random)
  ridges.forEach(({ peaks, cord }, i) => {
    shapes.push(
      ...fringe(left, right, { ...cord, radius: 7 }, height(peaks), i === 2 ? point(-120, 1210) : level(1000), random),
      ...rib(peaks, cord),
      ...rib(
        peaks.map((v, k) => (k % 2 === 1 ? v + 22 : v)),
        cord,
      ),
    )
  })
  return shapes
}

function moon(cords: Cords, random: Random): Shape[] {
  const cord = cords(0, 9)
  const [cx, cy, size] = [middle, 430, 270]
  const hoop = arc(cx, cy, size, size, 0, 1, 120)
  // From one horn of the crescent to the other along its lower left side.
  const sickle = plot(120, (t) => {
    const angle = (0.93 - t * 0.86 + 0.1) * 2 * Math.PI * 0.98 - 1.02
    return [cx + (size - 62 * Math.sin(Math.PI * t)) * Math.cos(angle), cy + (size - 62 * Math.sin(Math.PI * t)) * Math.sin(angle)]
  })
  const turns = 0.86 * 2 * Math.PI * size
  const width = (index: number) => 14 + 66 * Math.sin(Math.PI * Math.min(1, (index * cord.radius * 1.8) / (turns * 0.94))) ** 1.4
  const stars = [0, 1, 2].flatMap((i) => {
    const [x, y] = [cx + 30 + i * 62, cy - 60 + [0, 90, 10][i]!]
    return [
      stroke([x, cy - Math.sqrt(Math.max(0, size ** 2 - (x - cx) ** 2)), x, y], { radius: 3, ramp: cord.ramp, material: 'string' }),
      bead(x, y, 19, i === 1 ? walnut : beech),
    ]
  })
  const low = (x: number) => cy + Math.sqrt(Math.max(0, size ** 2 - (x - cx) ** 2)) - 8
  return [
    ...fringe(cx - 215, cx + 215, { ...cord, radius: 7 }, low, (x) => 1270 - Math.abs(x - cx) * 0.95, random),
    stroke(hoop, { radius: 12, ramp: birch, material: 'wood' }),
    ...stars,
    ...wound(sickle, cord, width),
    stroke(smooth([cx - 5, cy - size, cx - 3, 110, cx, 66]), { radius: 6, ramp: cord.ramp }),
    stroke(smooth([cx + 5, cy - size, cx + 3, 110, cx, 66]), { radius: 6, ramp: cord.ramp }),
    ...wrap(cx, cy - size - 34, 15, 5, { ...cord, radius: 6 }),
    bead(cx, 62, 11, walnut),
  ]
}

/** Wrapped arcs one inside the other, with brushed feet; also small, for keys and ears. */
export function rainbow(cords: Cords, count: number, random: Random): Shape[] {
  const shapes: Shape[] = []
  const [cx, cy, band] = [700, 700, 82]
  for (let i = 0; i < count; i++) {
    const size = 470 - i * band
    const cord = cords(i, 9.5)
    const line = [cx - size, cy + 190, ...arc(cx, cy, size, size, 0.5, 1, 80), cx + size, cy + 190]
    for (const side of [-1, 1]) {
      shapes.push(
        ...fringe(
          cx + side * size - 38,
          cx + side * size + 38,
          { ...cord, radius: 4.6 },
          level(cy + 170),
          level(cy + 330 + random.between(-6, 6)),
          random,
        ),
      )
    }
    shapes.push(...wound(line, cord, band / 2 - 1))
    for (const side of [-1, 1]) shapes.push(...wrap(cx + side * size, cy + 176, 40, 2, { ...cord, radius: 7 }))
  }
  return shapes
}

const bodies: Record<Exclude<Pattern, 'moon' | 'rainbow'>, (cords: Cords, random: Random) => Shape[]> = {
  diamonds,
  chevron,
  leaves,
  net: openNet,
  layers,
  mountains,
}

export function wallHanging(pattern: Pattern, cords: Cords, random: Random): Layer[] {
  const cord = cords(0, 8)
  if (pattern === 'moon') return [layer(moon(cords, random), 26)]
  if (pattern === 'rainbow') {
    const loop = [
      stroke(smooth([690, 232, 660, 150, 700, 92, 740, 150, 710, 232]), { radius: 7, ramp: cord.ramp }),
      bead(700, 92, 11, walnut),
    ]
    return [layer([...loop, ...rainbow(cords, 5, random)], 24)]
  }
  const [from, to] = pattern === 'layers' ? [120, 1280] : pattern === 'leaves' ? [215, 1185] : [245, 1155]
  const wood = pattern === 'chevron' || pattern === 'mountains' ? walnut : beech
  const spread = pattern === 'layers' ? [190, 1210] : [left, right]
  const head = pattern === 'leaves' ? [] : heads(spread[0]!, spread[1]!, pattern === 'mountains' ? cordOf('oatmeal', 7.6) : cord)
  return [
    layer([...dowel(from, to, wood), ...hanger(from + 34, to - 34, cord)], 22),
    layer([...bodies[pattern](cords, random), ...head], 26),
  ]
}
