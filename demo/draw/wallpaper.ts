// The wide ground of the home page: a calm wall with soft macrame along its top, for the dark and the light theme.
import { curtain, fringe, leaf } from './fringe.ts'
import { larksHead, rib, squareKnot, type Cord } from './knot.ts'
import type { Picture } from './picture.ts'
import { seeded } from './random.ts'
import { layer, moved, plot, stroke, type Layer, type Shape } from './shape.ts'
import { beech, cordOf, walnut } from './stock.ts'
import { ramp } from './tone.ts'

export type Theme = 'dark' | 'light'

const [width, height] = [2000, 1100]

function swag(from: number, to: number, cord: Cord, seed: string): Shape[] {
  const random = seeded(seed)
  const middle = (from + to) / 2
  const half = (to - from) / 2
  const bow = (y: number, depth: number) => (x: number) => y + depth * (1 - ((x - middle) / half) ** 2)
  const edge = (y: number, depth: number) => plot(30, (t) => [from + (to - from) * t, bow(y, depth)(from + (to - from) * t)])
  const knots = Array.from({ length: 5 }, (_, i) => from + ((i + 0.5) * (to - from)) / 5)
  return [
    ...fringe(from, to, { ...cord, radius: 6.6 }, bow(180, 60), bow(230, 150), random),
    ...curtain(
      from,
      to,
      cord,
      () => 50,
      bow(184, 60),
      knots.map((x) => ({ x, y: 128 + 30 * (1 - ((x - middle) / half) ** 2), reachX: 28, reachY: 46, strength: 0.5 })),
      random,
    ),
    ...rib(edge(92, 12), cord),
    ...knots.flatMap((x) => squareKnot(x, bow(114, 30)(x), { ...cord, radius: 9 }, 2.6)),
    ...rib(edge(184, 60), cord),
  ]
}

export function wallpaper(theme: Theme): Picture {
  const isDark = theme === 'dark'
  const cord = isDark ? { ramp: ramp('#b89f83', '#4a382b', 0.25), radius: 7.4 } : cordOf('natural-cream', 7.4)
  const wood = isDark ? walnut : beech
  const widths = 400
  const shapes: Shape[] = []
  for (let i = 0; i < 5; i++) shapes.push(...swag(i * widths + 8, (i + 1) * widths - 8, cord, `swag ${i}`))
  const heads = Array.from({ length: Math.round(width / 29.6) + 1 }, (_, i) => larksHead(i * 29.6 + 6, 44, 15, cord)).flat()
  const feathers = [1, 2, 3, 4].flatMap((i) =>
    moved(
      [stroke([0, -130, 0, -60, 0, 10], { radius: 5, ramp: cord.ramp }), ...leaf(0, 0, 34, 170, cord, seeded(`feather ${i}`))],
      i * widths,
      210 + (i % 2) * 26,
    ),
  )
  const layers: Layer[] = [
    layer([stroke([-60, 44, 1000, 44, 2060, 44], { radius: 15, ramp: wood, material: 'wood' })], 20),
    layer([...feathers, ...shapes, ...heads], 30),
  ]
  return {
    width,
    height,
    backdrop: { ground: isDark ? 'plaster' : 'linen', color: isDark ? '#2a211c' : '#f4ecdf', window: !isDark },
    camera: { scale: 1, x: 1000, y: 550, turn: 0 },
    layers,
  }
}
