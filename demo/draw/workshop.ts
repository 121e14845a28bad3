// Things of the workshop that the About scenes are furnished with: cones and coils of cord, scissors, parcel, the owner from behind.
import { wrap, type Cord } from './knot.ts'
import { arc, bead, moved, plot, smooth, stroke, type Shape } from './shape.ts'
import { steel, walnut } from './stock.ts'
import { ramp } from './tone.ts'

/** A cone of cord standing on y, as it comes from the spinner. */
export function cone(x: number, y: number, size: number, cord: Cord): Shape[] {
  const shapes: Shape[] = [
    stroke([x, y - size * 1.42, x, y - size * 1.3, x, y - size * 1.22], {
      radius: size * 0.1,
      ramp: ramp('#e6d6b8', '#8d7650'),
      material: 'wood',
    }),
  ]
  const turns = Math.round((size * 1.25) / (cord.radius * 1.65))
  for (let i = turns; i >= 0; i--) {
    const share = i / turns
    const half = size * (0.5 - 0.3 * share) - cord.radius * (i === 0 || i === turns ? 1.2 : 0)
    const top = y - cord.radius - size * 1.25 * share
    const tilt = (i % 2 ? 1 : -1) * cord.radius * 0.5
    shapes.push(
      stroke(
        smooth([x - half, top - tilt - 2, x - half * 0.5, top + 4, x, top + 6, x + half * 0.5, top + 4, x + half, top + tilt - 2], 4),
        { radius: cord.radius, ramp: cord.ramp, isTucked: true },
      ),
    )
  }
  return shapes
}

/** Rope coiled flat on a table, with a loose end. */
export function coil(x: number, y: number, size: number, cord: Cord): Shape[] {
  const rounds = Math.floor(size / (cord.radius * 2)) - 1
  const line = plot(rounds * 40, (t) => {
    const angle = t * rounds * 2 * Math.PI
    const reach = cord.radius * 1.4 + t * (size - cord.radius * 2)
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)]
  })
  const shapes: Shape[] = []
  // Cut in pieces: within one stroke a spiral would find itself as its own neighbour and lose its contact shade.
  for (let i = 0; i < line.length - 2; i += 60) shapes.push(stroke(line.slice(i, i + 64), { radius: cord.radius, ramp: cord.ramp }))
  return [
    ...shapes,
    stroke(smooth([x + size - cord.radius, y, x + size, y + size * 0.5, x + size * 0.7, y + size * 1.1, x + size * 1.2, y + size * 1.35]), {
      radius: cord.radius,
      ramp: cord.ramp,
    }),
  ]
}

/** Scissors lying on a table, opened a little; the rivet lies at (0, 0). */
export function scissors(x: number, y: number, size: number, turn: number): Shape[] {
  const blade = (side: number): Shape[] =>
    moved(
      [
        stroke([0, 0, 0, -130, -side * 4, -270], { radius: 17, endRadius: 3, ramp: steel, material: 'metal' }),
        stroke(smooth([0, 0, side * 12, 60, side * 34, 112]), { radius: 14, ramp: steel, material: 'metal' }),
        stroke(arc(side * 46, 178, 44, 62, 0, 1, 50), { radius: 13, ramp: walnut, material: 'wood' }),
      ],
      0,
      0,
      1,
      side * -0.13,
    )
  return moved([...blade(-1), ...blade(1), bead(0, 0, 10, steel)], x, y, size, turn)
}

/** Cord tied round a parcel, with a bow. */
export function tie(cx: number, cy: number, halfWidth: number, halfHeight: number, cord: Cord): Shape[] {
  const r = cord.radius
  const line = (points: number[]) => stroke(points, { radius: r, ramp: cord.ramp })
  const loop = (side: number) =>
    line(
      smooth(
        [cx, cy, cx + side * 70, cy - 76, cx + side * 170, cy - 100, cx + side * 206, cy - 40, cx + side * 140, cy + 10, cx, cy + 4],
        10,
      ),
    )
  const end = (side: number) => line(smooth([cx, cy, cx + side * 50, cy + 70, cx + side * 110, cy + 110, cx + side * 150, cy + 190], 10))
  return [
    line([cx - halfWidth, cy - r, cx, cy - r, cx + halfWidth, cy - r]),
    line([cx - halfWidth, cy + r, cx, cy + r, cx + halfWidth, cy + r]),
    line([cx - r, cy - halfHeight, cx - r, cy, cx - r, cy + halfHeight]),
    line([cx + r, cy - halfHeight, cx + r, cy, cx + r, cy + halfHeight]),
    end(-1),
    end(1),
    loop(-1),
    loop(1),
    ...wrap(cx, cy - r * 1.4, r * 2.4, 3, cord),
  ]
}

/** The owner from behind, hands raised to her work; (0, 0) is the nape of her neck. */
export const owner = `<defs><linearGradient id="dress" x2="1"><stop offset="0" stop-color="#c4623c"/><stop offset="1" stop-color="#97452a"/></linearGradient><linearGradient id="hair" x2="1"><stop offset="0" stop-color="#8d5a34"/><stop offset="1" stop-color="#583420"/></linearGradient></defs>
<path d="M-128 110 C-210 90 -236 -30 -196 -150 L-156 -140 C-176 -40 -150 20 -90 40Z" fill="#b3552f"/><path d="M128 110 C210 90 236 -60 190 -190 L150 -180 C174 -60 150 20 90 40Z" fill="#934327"/>
<path d="M-200 -140 C-206 -180 -190 -220 -168 -240 Q-150 -250 -146 -226 L-150 -138Z" fill="#e8b891"/><path d="M194 -180 C202 -222 186 -262 162 -282 Q146 -292 142 -268 L148 -176Z" fill="#dba67c"/>
<path d="M-168 -238 q-8 -24 4 -34 q12 -4 14 20 q6 -26 16 -22 q10 8 -2 40Z" fill="#e8b891"/><path d="M162 -280 q8 -24 -4 -34 q-12 -4 -14 20 q-6 -26 -16 -22 q-10 8 2 40Z" fill="#dba67c"/>
<path d="M-170 480 C-176 240 -160 90 -120 40 Q-60 10 0 12 Q60 10 120 40 C160 90 176 240 170 480Z" fill="url(#dress)"/><path d="M-34 -40 H34 V24 Q0 44 -34 24Z" fill="#dba67c"/>
<path d="M-96 30 C-70 140 -76 240 -60 480 M96 30 C70 140 76 240 60 480" stroke="#f3e6cf" stroke-width="26" fill="none"/><path d="M-150 250 Q0 276 150 250 V292 Q0 316 -150 292Z" fill="#f3e6cf"/><path d="M-20 276 q-60 -34 -66 10 q10 30 66 4 q60 26 66 -4 q-6 -44 -66 -10Z" fill="#e5d3b3"/>
<ellipse cx="0" cy="-110" rx="92" ry="102" fill="url(#hair)"/><circle cx="6" cy="-216" r="52" fill="url(#hair)"/><path d="M-30 -222 Q4 -252 42 -226 M-36 -204 Q6 -232 48 -204 M-70 -120 Q0 -60 72 -120 M-60 -150 Q0 -100 64 -150 M-80 -96 Q0 -20 80 -92" stroke="#b98052" stroke-width="4" fill="none" opacity=".45"/><path d="M-46 -176 Q4 -150 56 -178" stroke="#b4532f" stroke-width="13" fill="none"/>`
