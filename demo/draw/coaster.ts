// Coasters: rounds, hearts and squares of close knots, seen from above; and the cups that stand on them.
import type { Design } from '../record.ts'
import { fringe } from './fringe.ts'
import { heart } from './key-chain.ts'
import { rib, type Cord } from './knot.ts'
import type { Random } from './random.ts'
import { arc, layer, moved, smooth, stroke, type Layer, type Shape } from './shape.ts'
import type { Cords } from './stock.ts'

type CoasterShape = Extract<Design, { kind: 'coaster' }>['shape']

// Drawn round (0, 0) with a radius of about 400.
function rounds(cords: Cords, size: number, colorOf: (share: number) => number): Shape[] {
  const shapes: Shape[] = []
  const r = 13
  for (let at = size; at > r; at -= r * 2.2)
    shapes.push(...rib(arc(0, 0, at, at, 0, 1, Math.max(16, Math.round(at / 5))), cords(colorOf(at / size), r), 1.22))
  return [...shapes, ...rib([-8, 0, 0, 0, 8, 0], cords(colorOf(0), r), 1)]
}

function rays(size: number, length: number, cord: Cord, random: Random): Shape[] {
  const count = Math.round((2 * Math.PI * size) / (cord.radius * 1.7))
  const shapes: Shape[] = []
  for (const tone of [0.75, 1]) {
    for (let i = 0; i < count; i++) {
      const angle = ((i + random.between(-0.3, 0.3)) / count) * 2 * Math.PI
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      const end = size + length * random.between(0.9, 1.05)
      const sway = random.between(-0.02, 0.02)
      shapes.push(
        stroke(
          smooth(
            [
              c * (size - 20),
              s * (size - 20),
              c * (size + length * 0.5),
              s * (size + length * 0.5),
              Math.cos(angle + sway) * end,
              Math.sin(angle + sway) * end,
            ],
            5,
          ),
          { radius: cord.radius, ramp: cord.ramp, material: 'string', tone: tone * random.between(0.92, 1.05) },
        ),
      )
    }
  }
  return shapes
}

function square(cords: Cords, random: Random): Shape[] {
  const half = 360
  const shapes: Shape[] = []
  for (const side of [-1, 1]) {
    const tufts = fringe(
      -half,
      half,
      cords(0, 7),
      () => 0,
      () => 130,
      random,
    )
    shapes.push(...moved(tufts, side * (half - 6), 0, 1, side < 0 ? Math.PI / 2 : -Math.PI / 2))
  }
  for (let y = -half + 12, i = 0; y <= half; y += 29, i++)
    shapes.push(...rib([-half, y, 0, y, half, y], cords([4, 5, 19, 20].includes(i) || (i > 10 && i < 14) ? 1 : 0, 13), 1.25))
  return shapes
}

export function coaster(shape: CoasterShape, cords: Cords, random: Random): Shape[] {
  if (shape === 'heart') return moved(heart(0, 0, 400, cords(0, 13)), 0, -20)
  if (shape === 'square') return square(cords, random)
  if (shape === 'striped')
    return [
      ...rays(360, 58, cords(1, 6.5), random),
      ...rounds(cords, 370, (share) => (share > 0.9 || (share > 0.5 && share < 0.68) || share < 0.16 ? 1 : 0)),
    ]
  if (shape === 'scalloped') {
    const loops = Array.from({ length: 20 }, (_, i) => {
      const angle = (i / 20) * 2 * Math.PI
      const petal = arc(Math.cos(angle) * 378, Math.sin(angle) * 378, 58, 58, 0, 1, 36)
      return [stroke(petal, { radius: 14, ramp: cords(0, 14).ramp })]
    }).flat()
    return [...loops, ...rounds(cords, 372, () => 0)]
  }
  return [...rays(350, 120, cords(0, 6.5), random), ...rounds(cords, 360, () => 0)]
}

/** A cup of tea from above, round (0, 0). */
export function cup(glaze: string, tea = '#8f4f22'): string {
  return `<defs><radialGradient id="cup" cx=".38" cy=".34" r=".75"><stop offset="0" stop-color="#fff"/><stop offset=".55" stop-color="${glaze}"/><stop offset="1" stop-color="#7b6a58"/></radialGradient>
<radialGradient id="tea" cx=".62" cy=".66" r=".8"><stop offset="0" stop-color="#c98a4a"/><stop offset=".7" stop-color="${tea}"/><stop offset="1" stop-color="#5a2d10"/></radialGradient></defs>
<path d="M205 -50 C330 -80 350 80 208 54" fill="none" stroke="#8d7c69" stroke-width="44" stroke-linecap="round"/><path d="M205 -50 C330 -80 350 80 208 54" fill="none" stroke="${glaze}" stroke-width="36" stroke-linecap="round"/>
<path d="M214 -56 C310 -74 330 50 240 52" fill="none" stroke="#fff" stroke-width="8" opacity=".6" stroke-linecap="round"/>
<circle r="232" fill="url(#cup)"/><circle r="208" fill="#5d4a39" opacity=".5"/><circle r="206" fill="${glaze}"/><circle r="206" fill="#3a2616" opacity=".22"/><circle cx="6" cy="8" r="192" fill="url(#tea)"/>
<path d="M-150 -60 A165 165 0 0 1 -20 -160" fill="none" stroke="#fff" stroke-width="16" stroke-linecap="round" opacity=".35"/><path d="M-226 -30 A228 228 0 0 1 -60 -220" fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round" opacity=".8"/>`
}

export function coasterAt(shape: CoasterShape, cords: Cords, random: Random, x: number, y: number, scale: number, turn: number): Layer {
  return layer(moved(coaster(shape, cords, random), x, y, scale, turn), 14)
}
