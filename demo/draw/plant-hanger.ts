// Plant hangers: a ring, knotted arms, a cradle round the pot and a tassel beneath; one pot or two.
import type { Design } from '../record.ts'
import { fringe } from './fringe.ts'
import { spiralSinnet, squareKnot, squareSinnet, wrap, type Cord } from './knot.ts'
import { leavesBefore, leavesBehind, pot, potHeight } from './plant.ts'
import { seeded, type Random } from './random.ts'
import { arc, bead, layer, moved, smooth, stroke, svgLayer, type Layer, type Shape } from './shape.ts'
import { beech, walnut, type Cords } from './stock.ts'

type HangerDesign = Extract<Design, { kind: 'plant-hanger' }>

// One storey hangs from (0, 0); the pot's rim lies at this height.
const rim = 520
const shoulder = 176

function arm(side: number, sinnet: HangerDesign['sinnet'], cord: Cord, knots: number): Shape[] {
  const top = 70
  const x = (y: number) => side * shoulder * ((y - top) / (rim - top)) ** 0.9 * 1.06
  const at = (y: number) => x(Math.max(top, y))
  const line = (dx: number) =>
    stroke(smooth([dx * 0.3, 20, at(140) + dx, 140, at(260) + dx, 260, at(390) + dx, 390, at(rim) + dx, rim + 20]), {
      radius: cord.radius,
      ramp: cord.ramp,
      tone: 0.92,
    })
  const shapes = [-1.6, -0.5, 0.5, 1.6].map((dx) => line(dx * cord.radius))
  const start = 150
  if (sinnet === 'spiral') return [...shapes, ...spiralSinnet(0, start, knots * 2 + 6, cord, at).shapes]
  if (sinnet === 'square') return [...shapes, ...squareSinnet(0, start, knots, cord, at).shapes]
  const first = squareSinnet(0, start, 3, cord, at)
  const second = squareSinnet(0, first.end + 62, 3, cord, at)
  return [
    ...shapes,
    ...first.shapes,
    bead(at(first.end + 27), first.end + 27, 31, beech, 0.9),
    ...second.shapes,
    bead(at(second.end + 28), second.end + 28, 24, walnut, 0.9),
  ]
}

/** The net over the front of the pot: from the arms at its sides and from the front arm, crossing, and gathered beneath. */
function cradle(cord: Cord): Shape[] {
  const r = cord.radius
  const bottom = rim + potHeight + 70
  const pairs = (line: number[]) =>
    [-1, 1].map((side) => stroke(smooth(line.map((v, i) => (i % 2 === 0 ? v + side * r : v))), { radius: r, ramp: cord.ramp }))
  const [low, wide] = [rim + 128, 78]
  return [
    ...pairs([-shoulder - 12, rim - 10, -shoulder + 4, rim + 50, -wide - 10, low, -wide * 0.74, low + 90, -6, bottom]),
    ...pairs([shoulder + 12, rim - 10, shoulder - 4, rim + 50, wide + 10, low, wide * 0.74, low + 90, 6, bottom]),
    ...pairs([-shoulder - 14, rim - 10, -shoulder - 2, rim + 70, -144, rim + 160, -100, rim + potHeight, -18, bottom]),
    ...pairs([shoulder + 14, rim - 10, shoulder + 2, rim + 70, 144, rim + 160, 100, rim + potHeight, 18, bottom]),
    ...pairs([-2, rim - 10, -20, rim + 46, -wide + 4, low, -wide * 0.9, low + 70, -10, bottom]),
    ...pairs([2, rim - 10, 20, rim + 46, wide - 4, low, wide * 0.9, low + 70, 10, bottom]),
    ...squareKnot(-wide - 4, low - 16, cord, 3),
    ...squareKnot(wide + 4, low - 16, cord, 3),
  ]
}

function tail(cord: Cord, length: number, random: Random): Shape[] {
  const y = rim + potHeight + 62
  return [
    ...fringe(
      -42,
      42,
      { ...cord, radius: cord.radius * 0.8 },
      () => y + 40,
      (x) => y + length - Math.abs(x) * 0.5,
      random,
    ),
    ...wrap(0, y, 40, 5, { ...cord, radius: cord.radius * 1.05 }),
  ]
}

type Storey = { behind: Shape[]; svg: string; front: Shape[]; spill: string }

function storey(design: HangerDesign, sinnet: HangerDesign['sinnet'], cord: Cord, tailLength: number, random: Random): Storey {
  const back = [-0.36, 0.36].flatMap((side) =>
    [-1, 1].map((dx) =>
      stroke(smooth([0, 20, side * shoulder * 0.7 + dx * 7, rim * 0.6, side * shoulder + dx * 7, rim]), {
        radius: cord.radius,
        ramp: cord.ramp,
        tone: 0.68,
      }),
    ),
  )
  const at = `translate(0 ${rim}) scale(1.14 1.08)`
  return {
    behind: back,
    svg: `<g transform="${at}">${leavesBehind(design.plant, random)}${pot(design.pot)}</g>`,
    front: [...tail(cord, tailLength, random), ...cradle(cord), ...[-1, 1].flatMap((side) => arm(side, sinnet, cord, 8))],
    spill: `<g transform="${at}">${leavesBefore(design.plant, random)}</g>`,
  }
}

export function plantHanger(design: HangerDesign, cords: Cords, random: Random): Layer[] {
  const cord = cords(0, 9)
  const ring = [
    stroke(smooth([-3, -70, 0, -110, 2, -170]), { radius: 5, ramp: cord.ramp }),
    stroke(arc(0, -30, 42, 42, 0, 1, 60), { radius: 9, ramp: beech, material: 'wood' }),
    ...wrap(0, 14, 27, 6, { ...cord, radius: 9 }),
  ]
  const put = (piece: Storey, x: number, y: number, scale: number, isLast: boolean): Layer[] => {
    const group = (inner: string) => `<g transform="translate(${x} ${y}) scale(${scale})">${inner}</g>`
    const layers = [
      layer(moved(piece.behind, x, y, scale), 22),
      svgLayer(group(piece.svg), 26),
      layer(moved(piece.front, x, y, scale), 12),
      layer(moved(ring, x, y, scale), 14),
    ]
    return isLast || piece.spill ? [...layers, svgLayer(group(piece.spill), 16)] : layers
  }
  if (design.tiers === 1) return put(storey(design, design.sinnet, cord, 275, random), 700, 190, 1, true)
  const lower = storey({ ...design, plant: 'pothos', pot: '#b9785a' }, design.sinnet, cord, 240, random)
  const upper = storey(design, 'spiral', cord, 60, seeded('upper storey'))
  return [...put(upper, 700, 160, 0.56, false), ...put(lower, 700, 678, 0.56, true)]
}
