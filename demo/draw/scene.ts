// The five scenes of the About page: the table, the rack, the window, the shelves, the parcel.
import { colors } from '../colors.ts'
import type { SceneName } from '../record.ts'
import { cup } from './coaster.ts'
import { curtain, tassel } from './fringe.ts'
import { rib, spiralSinnet, squareSinnet } from './knot.ts'
import type { Picture } from './picture.ts'
import { plantHanger } from './plant-hanger.ts'
import { seeded } from './random.ts'
import { vase } from './room.ts'
import { bead, layer, moved, stroke, svgLayer, type Layer } from './shape.ts'
import { beech, birch, cordOf, cordsOf, walnut } from './stock.ts'
import { coaster } from './coaster.ts'
import { wallHanging } from './wall-hanging.ts'
import { coil, cone, owner, scissors, tie } from './workshop.ts'

const size = { width: 1600, height: 1000, camera: { scale: 1, x: 800, y: 500, turn: 0 } }

function placed(layers: Layer[], x: number, y: number, scale: number): Layer[] {
  return layers.map((piece) =>
    piece.kind === 'svg'
      ? svgLayer(`<g transform="translate(${x} ${y}) scale(${scale})">${piece.markup}</g>`, piece.lift * scale)
      : { ...piece, shapes: moved(piece.shapes, x, y, scale), lift: piece.lift * scale },
  )
}

function table(): Picture {
  const cream = cordOf('natural-cream', 11)
  const sage = cordOf('sage-green', 13)
  const cloth = `<path d="M300 -20 H1000 V756 H300Z" fill="#efe5d3"/><path d="M340 0 V740 M360 0 V740" stroke="#c9826a" stroke-width="6" opacity=".7"/>`
  const started = [
    ...curtain(
      520,
      900,
      cream,
      () => 60,
      (x) => 560 + Math.sin(x * 0.7) * 40 + Math.abs(x - 710) * 0.4,
      [],
      seeded('started'),
    ),
    stroke([460, 60, 710, 60, 960, 60], { radius: 20, ramp: beech, material: 'wood' }),
  ]
  const ridges = [130, 156, 230, 256].flatMap((y) => rib([520, y, 710, y + 120, 900, y], cream))
  const note = `<g transform="translate(1130 90) rotate(7)"><rect width="300" height="220" rx="6" fill="#fbf6ea"/><path d="M40 50 h150 M40 84 h210 M40 118 h180" stroke="#b9a98c" stroke-width="7" stroke-linecap="round"/><path d="M70 190 l40 -40 40 40 40 -40 40 40" stroke="#b4532f" stroke-width="6" fill="none"/></g>`
  return {
    ...size,
    backdrop: { ground: 'wood', color: '#b98d61', window: true },
    layers: [
      svgLayer(cloth, 8),
      svgLayer(note, 8),
      layer([...started, ...ridges], 20),
      layer(coil(205, 690, 175, { ...cordOf('terracotta', 14) }), 18),
      layer(scissors(1130, 640, 1.1, 0.3), 16),
      svgLayer(`<g transform="translate(1390 500) scale(.62) rotate(20)">${cup('#e9d6c4')}</g>`, 34),
      layer([...squareSinnet(150, 60, 6, sage).shapes, ...tassel(150, 372, 34, 150, sage, seeded('tail'))], 16),
      layer([bead(1060, 880, 34, beech), bead(1150, 920, 26, walnut), bead(1000, 925, 22, birch), bead(1230, 870, 30, birch)], 12),
      layer(moved(coaster('round', cordsOf(['mustard']), seeded('coaster')), 1420, 830, 0.3, 0.4), 10),
    ],
  }
}

function rack(): Picture {
  const stand = [
    stroke([250, 1010, 300, 560, 345, 90], { radius: 20, ramp: walnut, material: 'wood' }),
    stroke([1350, 1010, 1300, 560, 1255, 90], { radius: 20, ramp: walnut, material: 'wood' }),
    stroke([240, 110, 800, 110, 1360, 110], { radius: 22, ramp: walnut, material: 'wood' }),
  ]
  const ropes = [-1, 1].map((side) =>
    stroke([800 + side * 300, 105, 800 + side * 300, 150, 800 + side * 300, 196], { radius: 6, ramp: cordOf('natural-cream', 6).ramp }),
  )
  const [, body] = wallHanging('chevron', cordsOf(['natural-cream', 'terracotta']), seeded('rack'))
  const bar = [stroke([400, 200, 800, 200, 1200, 200], { radius: 17, ramp: beech, material: 'wood' })]
  const cones = [
    cone(130, 985, 150, cordOf('terracotta', 8)),
    cone(1480, 985, 160, cordOf('natural-cream', 8)),
    cone(1345, 992, 110, cordOf('sage-green', 7)),
  ].flat()
  const floor = `<rect y="900" width="1600" height="100" fill="#a87c54"/><rect y="884" width="1600" height="18" fill="#efe7da"/>`
  const hanging = [
    ...spiralSinnet(445, 132, 30, cordOf('olive', 9)).shapes,
    ...tassel(445, 600, 26, 120, cordOf('olive', 9), seeded('olive')),
  ]
  return {
    ...size,
    backdrop: { ground: 'plaster', color: '#d9cdb9', window: true },
    layers: [
      svgLayer(floor),
      layer(stand, 24),
      layer([...ropes, ...hanging], 22),
      layer(bar, 16),
      ...placed(body ? [body] : [], 800 - 700 * 0.78, 200 - 230 * 0.78, 0.78),
      layer(cones, 18),
      svgLayer(`<g transform="translate(905 716) scale(1.12)">${owner}</g>`, 30),
    ],
  }
}

function window(): Picture {
  const frame = `<defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#a9cfe2"/><stop offset="1" stop-color="#f6efdc"/></linearGradient></defs><rect x="150" y="-20" width="1300" height="850" fill="#f7f2e8"/><rect x="190" y="-20" width="1220" height="810" fill="url(#sky)"/><circle cx="1130" cy="190" r="80" fill="#fff9e6"/>
<path d="M190 620 Q420 500 720 600 T1410 540 V790 H190Z" fill="#cbd8bd"/><path d="M190 700 Q520 610 800 690 T1410 660 V790 H190Z" fill="#afc4a1"/><path d="M980 690 v-80 h70 v80Z M975 612 l40 -40 40 40Z" fill="#c78d74"/><path d="M590 -20 V790 M1010 -20 V790" stroke="#f7f2e8" stroke-width="28"/><path d="M190 330 H1410" stroke="#f7f2e8" stroke-width="22"/>
<rect x="90" y="820" width="1420" height="50" fill="#f1e8d9"/><rect x="90" y="864" width="1420" height="14" fill="#c9b798"/>
<path d="M0 -20 H230 Q210 420 90 1000 H0Z" fill="#f0e5d4"/><path d="M60 -20 Q70 420 30 1000 M150 -20 Q140 420 70 1000" stroke="#d8c8ae" stroke-width="12" fill="none"/><path d="M1600 -20 H1370 Q1390 420 1510 1000 H1600Z" fill="#ece0cd"/><path d="M1540 -20 Q1530 420 1570 1000 M1450 -20 Q1460 420 1530 1000" stroke="#d3c2a6" stroke-width="12" fill="none"/>`
  const cat = `<g transform="translate(990 826)"><path d="M-92 0 C-110 -90 -70 -150 -20 -152 C50 -150 84 -90 80 0Z" fill="#4a4140"/><path d="M-66 -140 l-6 -70 44 30 q22 -6 44 0 l44 -30 -6 72 q10 60 -60 66 q-72 -6 -60 -68Z" fill="#544a48"/><path d="M78 -6 C150 -10 150 60 96 74" stroke="#4a4140" stroke-width="24" fill="none" stroke-linecap="round"/></g>`
  const hanger = (
    sinnet: 'square' | 'spiral' | 'beaded',
    plant: 'pothos' | 'fern' | 'pearls',
    pot: string,
    cord: string,
    x: number,
    scale: number,
    y: number,
  ) =>
    placed(plantHanger({ kind: 'plant-hanger', sinnet, plant, pot, tiers: 1 }, cordsOf([cord]), seeded(plant)), x - 700 * scale, y, scale)
  return {
    ...size,
    backdrop: { ground: 'plaster', color: '#e2d4be' },
    layers: [
      svgLayer(frame, 12),
      svgLayer(cat, 10),
      ...hanger('square', 'pothos', '#c9785a', 'natural-cream', 390, 0.66, -60),
      ...hanger('spiral', 'fern', '#6f8f95', 'mustard', 800, 0.6, -40),
      ...hanger('beaded', 'pearls', '#e9e2d6', 'terracotta', 1190, 0.56, -70),
    ],
  }
}

function shelves(): Picture {
  const boards = [330, 640, 950]
  const board = (y: number) =>
    `<rect x="90" y="${y}" width="1420" height="34" rx="5" fill="#b08052"/><rect x="90" y="${y}" width="1420" height="10" rx="4" fill="#c99a6c"/><path d="M200 ${y + 34} v38 h-12 l-34 -38Z M1400 ${y + 34} v38 h12 l34 -38Z" fill="#6e4a2e"/>`
  const cones = colors.map((color, i) => {
    const row = Math.floor(i / 6)
    const x = 210 + (i % 6) * 200 + (row === 1 ? 170 : row === 2 ? 0 : 60)
    return { row, shapes: cone(x, boards[row]!, 150 + ((i * 37) % 5) * 7, cordOf(color.id, 7.4)) }
  })
  return {
    ...size,
    backdrop: { ground: 'plaster', color: '#dfd2bf', window: true },
    layers: [
      svgLayer(boards.map(board).join(''), 30),
      layer(
        cones.flatMap(({ shapes }) => shapes),
        20,
      ),
      svgLayer(
        `<g>${vase(235, 642, '#8a9d84', false)}</g><g transform="translate(1325 950)"><rect x="-20" y="-96" width="200" height="96" rx="8" fill="#cdb389"/><path d="M-20 -70 h200 M-20 -44 h200 M-20 -18 h200" stroke="#a98a5c" stroke-width="7"/><rect x="46" y="-78" width="70" height="34" rx="4" fill="#fbf6ea"/></g>`,
        18,
      ),
      layer([bead(1352, 842, 24, beech), bead(1398, 838, 28, walnut), bead(1448, 842, 24, birch)], 6),
      layer(
        [
          ...squareSinnet(1478, 372, 5, cordOf('dusty-rose', 8)).shapes,
          ...tassel(1478, 530, 22, 80, cordOf('dusty-rose', 8), seeded('rose')),
        ],
        14,
      ),
    ],
  }
}

const hand = (x: number, y: number, turn: number, flip: number) => `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${flip} 1)">
<path d="M-78 470 L-66 150 H66 L84 470Z" fill="#b4532f"/><path d="M-74 176 Q0 192 74 176 L72 136 Q0 152 -70 136Z" fill="#c96a45"/>
<path d="M-54 150 C-64 90 -74 60 -70 14 C-68 -12 -40 -14 -38 8 L-34 40 L-40 -54 C-40 -84 -10 -84 -8 -56 L-2 10 L2 -70 C4 -100 34 -98 34 -68 L30 14 L40 -42 C46 -66 72 -58 68 -32 L56 70 C54 110 54 130 54 150Z" fill="#e8b891"/>
<path d="M-34 40 L-30 84 M-2 10 L-2 60 M30 14 L26 62" stroke="#c58f68" stroke-width="5" fill="none" stroke-linecap="round"/><path d="M-70 14 C-90 10 -112 -14 -122 -44 C-126 -64 -104 -70 -94 -52 L-62 -6Z" fill="#e8b891"/></g>`

function parcel(): Picture {
  const box = `<defs><linearGradient id="kraft" x2="1" y2="1"><stop offset="0" stop-color="#d3ab79"/><stop offset="1" stop-color="#b3875a"/></linearGradient></defs><rect x="460" y="190" width="640" height="480" rx="10" fill="url(#kraft)"/><path d="M460 190 l120 100 M1100 190 l-120 100 M460 670 l120 -90 M1100 670 l-120 -90" stroke="#9c7447" stroke-width="5" opacity=".45"/><path d="M500 200 V660 M1060 200 V660" stroke="#fff" stroke-width="5" opacity=".12"/>`
  const card = `<g transform="translate(1190 130) rotate(9)"><rect width="300" height="200" rx="8" fill="#fdf8ee"/><path d="M60 62 h180 M60 96 h150" stroke="#b9a98c" stroke-width="7" stroke-linecap="round"/><path d="M150 172 C110 142 118 118 138 122 Q148 126 150 136 Q152 126 162 122 C182 118 190 142 150 172Z" fill="#b4532f"/><circle cx="24" cy="100" r="9" fill="#c29a6e"/></g>`
  const cord = cordOf('natural-cream', 9)
  return {
    ...size,
    backdrop: { ground: 'walnut', color: '#8a6243', window: true },
    layers: [
      svgLayer(
        `<path d="M330 90 L1230 60 L1260 790 L350 800Z" fill="#f4eee2"/><path d="M350 120 L1215 92 M372 770 L1236 762" stroke="#e0d5c2" stroke-width="5"/>`,
        8,
      ),
      svgLayer(box, 26),
      svgLayer(card, 8),
      layer(coil(190, 250, 130, cordOf('natural-cream', 11)), 16),
      layer(scissors(230, 690, 0.9, -0.6), 14),
      layer(tie(780, 430, 312, 232, cord), 8),
      layer([bead(1330, 560, 28, beech), bead(1400, 600, 22, walnut)], 10),
      svgLayer(hand(560, 690, 24, -1) + hand(1010, 690, -24, 1), 22),
    ],
  }
}

export const scenes: Record<SceneName, () => Picture> = { table, 'dowel-rack': rack, window, shelves, parcel }
