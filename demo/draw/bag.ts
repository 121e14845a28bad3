// Bags: market net, shoulder bag, clutch, bucket, tote and a sling for a bottle.
import type { Design } from '../record.ts'
import { curtain, fringe, tassel } from './fringe.ts'
import { crossKnot, larksHead, rib, squareKnot, wrap, type Cord } from './knot.ts'
import { net } from './net.ts'
import type { Random } from './random.ts'
import { arc, bead, layer, plot, smooth, stroke, svgLayer, type Layer, type Shape } from './shape.ts'
import { beech, walnut, type Cords } from './stock.ts'

type Body = Extract<Design, { kind: 'bag' }>['body']

const level = (y: number) => () => y

/** A strap of parallel cords along a line, as a flat braid. */
function strap(line: number[], cord: Cord, count: number, tone = 1): Shape[] {
  return Array.from({ length: count }, (_, i) => {
    const off = (i - (count - 1) / 2) * cord.radius * 1.9
    return stroke(
      smooth(
        line.map((v, k) => (k % 2 === 0 ? v + off * Math.sign(700 - line[k]! || 1) : v + off * 0.75)),
        14,
      ),
      { radius: cord.radius, ramp: cord.ramp, tone },
    )
  })
}

/** Oranges and a loaf that fill the net. */
function fruit(): string {
  const orange = (x: number, y: number, r: number, color: string) =>
    `<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/><circle cx="${x}" cy="${y}" r="${r}" fill="url(#peel)"/><circle cx="${x + r * 0.1}" cy="${y - r * 0.66}" r="7" fill="#4d5a2a"/>`
  return `<defs><radialGradient id="peel" cx=".34" cy=".3" r=".8"><stop offset="0" stop-color="#fff3d0" stop-opacity=".75"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#5b2405" stop-opacity=".62"/></radialGradient></defs>
${orange(520, 830, 96, '#e98a2c')}${orange(880, 840, 98, '#e58327')}${orange(700, 800, 100, '#ee9433')}${orange(478, 980, 98, '#ec8f30')}${orange(922, 990, 98, '#ef9a3a')}${orange(610, 960, 102, '#e5802a')}${orange(800, 970, 104, '#ea8b2b')}
${orange(520, 1120, 100, '#e98a2c')}${orange(880, 1120, 100, '#e07c24')}${orange(700, 1120, 106, '#ef9837')}${orange(610, 1220, 78, '#e2812a')}${orange(790, 1222, 78, '#e98a2c')}`
}

export function netBag(cords: Cords, isFull: boolean): Layer[] {
  const cord = cords(0, 5.6)
  const full = isFull ? 1 : 0.62
  const half = (y: number) => 200 + (full * 150 + 20) * Math.sin(Math.PI * Math.min(1, Math.max(0, (y - 600) / 720)) ** 0.85)
  const last = 640 + 8 * (isFull ? 75 : 72)
  const back = [
    layer([...strap([560, 640, 500, 420, 580, 190, 700, 140, 820, 190, 900, 420, 840, 640], { ...cord, radius: 8.5 }, 4, 0.72)], 24),
  ]
  const inside = isFull ? [svgLayer(fruit(), 18)] : []
  const mesh = [
    ...net({
      top: 640,
      rows: 9,
      columns: 8,
      drop: isFull ? 75 : 72,
      left: (y) => 700 - half(y),
      right: (y) => 700 + half(y),
      cord,
      sag: 62,
      spread: 2.2,
    }),
    ...rib([500, 628, 600, 640, 700, 644, 800, 640, 900, 628], { ...cord, radius: 11 }),
    ...rib([500, 604, 600, 616, 700, 620, 800, 616, 900, 604], { ...cord, radius: 11 }),
    ...rib(
      plot(20, (t) => [700 + (t * 2 - 1) * (half(last) - 8), last + 26 + 56 * Math.sin(Math.PI * t)]),
      { ...cord, radius: 11 },
    ),
    ...strap([520, 620, 470, 430, 560, 230, 700, 180, 840, 230, 930, 430, 880, 620], { ...cord, radius: 9 }, 4),
  ]
  return [...back, ...inside, layer(mesh, isFull ? 8 : 24)]
}

function panel(left: number, right: number, top: number, bottom: number, color: string): string {
  return `<path d="M${left} ${top} H${right} L${right + 14} ${bottom - 30} Q${right + 10} ${bottom} ${right - 30} ${bottom} H${left + 30} Q${left - 10} ${bottom} ${left - 14} ${bottom - 30}Z" fill="${color}"/>`
}

function shoulderBag(cords: Cords, random: Random): Layer[] {
  const cord = cords(0, 8.5)
  const [left, right, middle] = [370, 1030, 700]
  const centre = 830
  return [
    layer(strap([390, 570, 350, 350, 500, 120, 700, 60, 900, 120, 1050, 350, 1010, 570], { ...cord, radius: 9 }, 5), 26),
    layer(
      [
        ...fringe(left + 6, right - 6, { ...cord, radius: 7 }, level(1080), level(1270), random),
        ...curtain(
          left,
          right,
          cord,
          level(570),
          level(1090),
          [
            { x: middle, y: centre, reachX: 190, reachY: 190, strength: 0.5 },
            { x: 455, y: 660, reachX: 80, reachY: 80, strength: 0.5 },
            { x: 945, y: 660, reachX: 80, reachY: 80, strength: 0.5 },
          ],
          random,
        ),
        ...rib([left, 584, middle, 584, right, 584], { ...cord, radius: 10 }),
        ...rib([left, 608, middle, 608, right, 608], { ...cord, radius: 10 }),
        ...[0, 24].flatMap((d) => rib([left + 20, centre, middle, 630 + d, right - 20, centre, middle, 1040 - d, left + 20, centre], cord)),
        ...rib([left, 1086, middle, 1086, right, 1086], { ...cord, radius: 10 }),
        ...[-1, 0, 1].flatMap((i) => crossKnot(middle + i * 150, centre - 26, { ...cord, radius: i === 0 ? 17 : 10 }, i === 0 ? 3.3 : 2.8)),
        ...crossKnot(455, 648, cord, 2.8),
        ...crossKnot(945, 648, cord, 2.8),
        ...crossKnot(455, 1000, cord, 2.8),
        ...crossKnot(945, 1000, cord, 2.8),
        ...wrap(390, 548, 44, 4, cord),
        ...wrap(1010, 548, 44, 4, cord),
      ],
      26,
    ),
  ]
}

function clutch(cords: Cords, random: Random): Layer[] {
  const cord = cords(0, 9)
  const flap = (x: number) => 640 + 130 * (1 - ((x - 700) / 420) ** 2)
  const rows = Array.from({ length: 15 }, (_, i) => 500 + i * 35)
  return [
    layer([...rows.flatMap((y) => rib([282, y, 700, y, 1118, y], { ...cord, radius: 15 }, 1.22))], 28),
    layer(
      [
        ...fringe(
          290,
          1110,
          { ...cord, radius: 7 },
          (x) => flap(x) - 20,
          (x) => flap(x) + 250 - Math.abs(x - 700) * 0.22,
          random,
        ),
        ...curtain(280, 1120, cord, level(470), flap, [], random),
        ...rib([280, 470, 700, 470, 1120, 470], { ...cord, radius: 13 }),
        ...[0, -26].flatMap((d) => rib(Array.from({ length: 29 }, (_, i) => [280 + i * 30, flap(280 + i * 30) + d]).flat(), cord)),
        ...Array.from({ length: 9 }, (_, i) => 332 + i * 92).flatMap((x) => squareKnot(x, 530, { ...cord, radius: 11 }, 2.9)),
        stroke(smooth([670, 742, 690, 800, 700, 826, 710, 800, 730, 742]), { radius: 7, ramp: cord.ramp }),
        stroke([640, 800, 700, 803, 760, 806], { radius: 21, endRadius: 21, ramp: walnut, material: 'wood' }),
        stroke(smooth([694, 770, 690, 804, 698, 838]), { radius: 7, ramp: cord.ramp }),
        stroke(smooth([708, 770, 712, 804, 704, 838]), { radius: 7, ramp: cord.ramp }),
      ],
      12,
    ),
  ]
}

function bucket(cords: Cords, random: Random): Layer[] {
  const cord = cords(0, 9)
  const half = (y: number) => 268 + 62 * Math.sin((Math.PI * (y - 520)) / 760)
  const rows = Array.from({ length: 21 }, (_, i) => 620 + i * 31)
  const bow = (y: number, depth: number) => [
    700 - half(y),
    y,
    700 - half(y) * 0.6,
    y + depth * 0.7,
    700,
    y + depth,
    700 + half(y) * 0.6,
    y + depth * 0.7,
    700 + half(y),
    y,
  ]
  const smoothBow = (y: number, depth: number) => smooth(bow(y, depth), 8)
  const tail = (x: number, length: number) => [
    stroke(smooth([700, 660, x, 720, x + 8, 660 + length]), { radius: 9, ramp: cord.ramp }),
    bead(x + 8, 668 + length, 26, beech),
    ...tassel(x + 8, 690 + length, 36, 210, cords(0, 10), random),
  ]
  const gathers = curtain(
    700 - 276,
    700 + 276,
    { ...cord, radius: 11 },
    (x) => 500 + 14 * Math.cos(x / 21),
    (x) => 650 + 30 * (1 - ((x - 700) / 280) ** 2),
    [{ x: 700, y: 620, reachX: 320, reachY: 130, strength: 0.16 }],
    random,
  )
  return [
    layer(strap([450, 560, 400, 330, 520, 130, 700, 90, 880, 130, 1000, 330, 950, 560], { ...cord, radius: 9 }, 4, 0.9), 26),
    layer(
      [
        ...gathers,
        ...rows.flatMap((y, i) => rib(smoothBow(y, 34 + i * 1.5), { ...cord, radius: 14 }, 1.2)),
        ...[-1, 1].flatMap((side) => wrap(700 + side * 250, 540, 40, 4, cord)),
      ],
      30,
    ),
    layer(
      [
        stroke(smoothBow(612, 34), { radius: 9, ramp: cord.ramp, tone: 1.05 }),
        ...tail(655, 190),
        ...tail(752, 130),
        ...wrap(700, 640, 26, 3, cord),
      ],
      8,
    ),
  ]
}

function tote(cords: Cords, random: Random): Layer[] {
  const cord = cords(0, 8.5)
  const [left, right] = [350, 1050]
  const handle = (x: number, tone: number) =>
    stroke(arc(x, 400, 158, 158, 0, 1, 90), { radius: 17, ramp: tone < 1 ? walnut : beech, material: 'wood' })
  return [
    layer([handle(716, 0.8)], 22),
    svgLayer(panel(left + 8, right - 8, 590, 1180, '#b8836a'), 26),
    layer(
      [
        ...fringe(left + 10, right - 10, { ...cord, radius: 7 }, level(1176), (x) => 1290 - Math.abs(x - 700) * 0.02, random),
        ...net({
          top: 606,
          rows: 10,
          columns: 10,
          drop: 61,
          left: (y) => left - (y - 600) * 0.024,
          right: (y) => right + (y - 600) * 0.024,
          cord,
          spread: 2.5,
        }),
        ...rib([left, 596, 700, 596, right, 596], { ...cord, radius: 11 }),
        ...rib([left - 14, 1182, 700, 1182, right + 14, 1182], { ...cord, radius: 11 }),
        ...curtain(560, 840, cord, level(530), level(596), [], random),
        handle(690, 1),
        ...Array.from({ length: 7 }, (_, i) => 578 + i * 37).flatMap((x) =>
          larksHead(x, 400 + Math.sqrt(158 ** 2 - (x - 690) ** 2), 17, cord),
        ),
      ],
      12,
    ),
  ]
}

function bottle(cords: Cords, random: Random): Layer[] {
  const cord = cords(0, 8.5)
  const glass = `<defs><linearGradient id="glass"><stop offset="0" stop-color="#23402c"/><stop offset=".2" stop-color="#86a878"/><stop offset=".32" stop-color="#44704e"/><stop offset=".75" stop-color="#2c5138"/><stop offset="1" stop-color="#14291b"/></linearGradient></defs>
<path d="M664 330 V470 C664 560 580 580 580 680 V1170 Q580 1205 615 1205 H785 Q820 1205 820 1170 V680 C820 580 736 560 736 470 V330Z" fill="url(#glass)"/><rect x="658" y="318" width="84" height="46" rx="10" fill="#2b4a34"/><rect x="672" y="262" width="56" height="64" rx="8" fill="#c79a67"/>
<path d="M606 700 V1150" stroke="#dff0d0" stroke-width="11" opacity=".42" stroke-linecap="round"/><rect x="582" y="820" width="236" height="190" fill="#f1e6d0"/><rect x="602" y="842" width="196" height="146" fill="none" stroke="#b4532f" stroke-width="4"/><path d="M640 900 h120 M660 930 h80" stroke="#6a4a34" stroke-width="8"/>`
  const half = (y: number) => (y < 690 ? 70 + 62 * Math.min(1, Math.max(0, (y - 560) / 120)) : 136)
  return [
    layer(strap([660, 560, 560, 360, 600, 150, 700, 96, 800, 150, 840, 360, 740, 560], cord, 4, 0.75), 24),
    svgLayer(glass, 26),
    layer(
      [
        ...fringe(650, 750, { ...cord, radius: 7 }, level(1216), level(1340), random),
        ...net({
          top: 590,
          rows: 10,
          columns: 5,
          drop: 62,
          left: (y) => 700 - half(y),
          right: (y) => 700 + half(y),
          cord,
          sag: 24,
          spread: 2,
        }),
        ...rib([626, 588, 700, 598, 774, 588], { ...cord, radius: 10 }),
        ...rib([572, 1186, 640, 1212, 700, 1218, 760, 1212, 828, 1186], { ...cord, radius: 11 }),
        ...wrap(700, 1226, 52, 4, cord),
      ],
      8,
    ),
  ]
}

export function bag(body: Body, cords: Cords, random: Random, isFull: boolean): Layer[] {
  if (body === 'net') return netBag(cords, isFull)
  return { diamonds: shoulderBag, clutch, bucket, tote, bottle }[body](cords, random)
}
