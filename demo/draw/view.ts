// How a piece is shown: which ground it lies on, where the camera stands, and what else is in the room.
import type { DemoItem, Design, View } from '../record.ts'
import type { Backdrop } from './backdrop.ts'
import { bag } from './bag.ts'
import { coasterAt, cup } from './coaster.ts'
import { dreamCatcher } from './dream-catcher.ts'
import { earrings } from './earrings.ts'
import { garland } from './garland.ts'
import { keyChain } from './key-chain.ts'
import type { Picture } from './picture.ts'
import { plantHanger } from './plant-hanger.ts'
import { seeded, type Random } from './random.ts'
import { room } from './room.ts'
import { moved, svgLayer, type Camera, type Layer } from './shape.ts'
import { cordsOf } from './stock.ts'
import { wallHanging } from './wall-hanging.ts'

const linen: Backdrop = { ground: 'linen', color: '#e8dece' }
const plaster: Backdrop = { ground: 'plaster', color: '#e9e1d4' }
const windowWall: Backdrop = { ground: 'plaster', color: '#e4dacb', window: true }
const clay: Backdrop = { ground: 'plaster', color: '#dcc0aa' }
const sageWall: Backdrop = { ground: 'plaster', color: '#c3c9b6' }
const oakTable: Backdrop = { ground: 'wood', color: '#c29a6e' }
const walnutTable: Backdrop = { ground: 'walnut', color: '#765037' }

// Small and slender pieces come nearer, so that all fill the frame alike.
const straight: Record<Design['kind'], Camera> = {
  'wall-hanging': { scale: 1, x: 700, y: 700, turn: 0 },
  'plant-hanger': { scale: 1.12, x: 700, y: 690, turn: 0 },
  'key-chain': { scale: 1.12, x: 720, y: 640, turn: 0 },
  coaster: { scale: 1, x: 700, y: 700, turn: 0 },
  bag: { scale: 1.02, x: 700, y: 700, turn: 0 },
  garland: { scale: 1.04, x: 700, y: 600, turn: 0 },
  'dream-catcher': { scale: 1.04, x: 700, y: 690, turn: 0 },
  earrings: { scale: 1.1, x: 700, y: 640, turn: 0 },
}
const size = { width: 1400, height: 1400 }

/** Grounds a kind is shown on, in turn for its pictures; pale cords get the darker ones. */
const grounds: Record<Design['kind'], [Backdrop, ...Backdrop[]]> = {
  'wall-hanging': [plaster, windowWall, clay],
  'plant-hanger': [plaster, windowWall, sageWall],
  'key-chain': [linen, oakTable, walnutTable],
  coaster: [oakTable, walnutTable, linen],
  bag: [plaster, linen, clay],
  garland: [plaster, windowWall, clay],
  'dream-catcher': [windowWall, plaster, sageWall],
  earrings: [linen, clay, walnutTable],
}

/** Where the most telling knots of a kind are, for the close-up. */
const closeUps: Record<Design['kind'], Camera> = {
  'wall-hanging': { scale: 2.3, x: 560, y: 470, turn: -0.06 },
  'plant-hanger': { scale: 2.1, x: 690, y: 830, turn: 0.05 },
  'key-chain': { scale: 1.9, x: 700, y: 560, turn: 0.12 },
  coaster: { scale: 2.4, x: 860, y: 560, turn: 0.1 },
  bag: { scale: 2.1, x: 640, y: 720, turn: -0.06 },
  garland: { scale: 2.2, x: 640, y: 690, turn: 0.05 },
  'dream-catcher': { scale: 2.1, x: 720, y: 520, turn: -0.08 },
  earrings: { scale: 2, x: 480, y: 640, turn: 0.08 },
}

function turned(layers: Layer[], x: number, y: number, scale: number, turn: number): Layer[] {
  return layers.map((piece) => {
    if (piece.kind === 'svg')
      return svgLayer(
        `<g transform="translate(${x} ${y}) rotate(${(turn * 180) / Math.PI}) scale(${scale}) translate(-700 -700)">${piece.markup}</g>`,
        piece.lift * scale,
      )
    return { ...piece, shapes: moved(moved(piece.shapes, -700, -700), x, y, scale, turn), lift: piece.lift * scale }
  })
}

function piece(design: Design, colorIds: string[], view: View, random: Random): Layer[] {
  const cords = cordsOf(colorIds)
  switch (design.kind) {
    case 'wall-hanging':
      return wallHanging(design.pattern, cords, random)
    case 'plant-hanger':
      return plantHanger(design, cords, random)
    case 'key-chain':
      if (view !== 'side') return keyChain(design.motif, cords, random)
      return [-1, 0, 1].flatMap((place, i) =>
        turned(
          keyChain(design.motif, cordsOf([colorIds[i % colorIds.length]!]), random),
          700 + place * 400,
          740 + (place === 0 ? -50 : 40),
          0.78,
          place * 0.16 + 0.05,
        ),
      )
    case 'coaster':
      if (view === 'side')
        return [
          [430, 420, 0.2],
          [985, 450, -0.3],
          [440, 985, 0.9],
          [970, 1000, 0.5],
        ].map(([x, y, turn]) => coasterAt(design.shape, cords, random, x!, y!, 0.62, turn!))
      if (view === 'room')
        return [
          coasterAt(design.shape, cords, random, 650, 720, 1.06, 0.3),
          svgLayer(`<g transform="translate(630 700) rotate(-28)">${cup('#f4efe6')}</g>`, 26),
        ]
      return [coasterAt(design.shape, cords, random, 700, 700, 1.12, 0.12)]
    case 'bag':
      return bag(design.body, cords, random, view === 'side' || view === 'room')
    case 'garland':
      return garland(design.pendant, cords, random)
    case 'dream-catcher':
      return dreamCatcher(design.web, cords, random)
    case 'earrings':
      return earrings(design.shape, cords, random)
  }
}

export function itemPicture(item: DemoItem, index: number): Picture {
  const shown = item.pictures[index]
  if (!shown) throw new Error(`${item.id} has no picture ${index}`)
  const { kind } = item.design
  const random = seeded(`${item.id} ${shown.colorIds.join()} ${shown.view}`)
  const layers = piece(item.design, shown.colorIds, shown.view, random)
  const choice = grounds[kind]
  const nth = item.pictures.slice(0, index).filter((earlier) => earlier.view === shown.view).length
  const spread = [...item.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  const backdrop = choice[((spread % 2) + nth) % choice.length] ?? choice[0]
  if (shown.view === 'detail') return { ...size, backdrop, camera: closeUps[kind], layers }
  if (shown.view === 'room' && kind !== 'coaster') return { ...size, ...room(kind, layers) }
  const isFlat = item.design.kind === 'bag' && item.design.body === 'clutch'
  const camera =
    shown.view === 'side' ? { scale: 1, x: 700, y: 700, turn: 0 } : isFlat ? { scale: 1.22, x: 700, y: 745, turn: 0 } : straight[kind]
  return { ...size, backdrop, camera, layers }
}
