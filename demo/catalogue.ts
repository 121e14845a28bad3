// The demo shop's whole catalogue, gathered: colours, categories, items, showcase, people, sales and the slides of the About page.
import { bags, earrings, keyChains } from './items-carry.ts'
import { coasters, plantHangers } from './items-home.ts'
import { dreamCatchers, garlands, wallHangings } from './items-walls.ts'
import type { DemoCategory, DemoItem, DemoShowcase, DemoSlide } from './record.ts'

export type * from './record.ts'
export { colors } from './colors.ts'
export { customers, testimonials } from './people.ts'
export { receipts } from './sales.ts'

export const categories: DemoCategory[] = [
  { id: 'wall-hangings', title: 'Wall Hangings', color: '#c98a5e', kind: 'wall-hanging' },
  { id: 'plant-hangers', title: 'Plant Hangers', color: '#7f9a72', kind: 'plant-hanger' },
  { id: 'key-chains', title: 'Key Chains', color: '#c99a3f', kind: 'key-chain' },
  { id: 'coasters', title: 'Coasters', color: '#b5764f', kind: 'coaster' },
  { id: 'bags', title: 'Bags', color: '#a08a5f', kind: 'bag' },
  { id: 'garlands', title: 'Garlands', color: '#c27f78', kind: 'garland' },
  { id: 'dream-catchers', title: 'Dream Catchers', color: '#7d8fa6', kind: 'dream-catcher' },
  { id: 'earrings', title: 'Earrings', color: '#9a7391', kind: 'earrings' },
]

// Interleaved by the order the gallery should open with: the first of each kind, then the second of each, and so on.
const shelves = [wallHangings, plantHangers, bags, garlands, dreamCatchers, keyChains, coasters, earrings]
const longestShelf = Math.max(...shelves.map((shelf) => shelf.length))
export const items: DemoItem[] = Array.from({ length: longestShelf }, (_, row) => shelves.flatMap((shelf) => shelf[row] ?? [])).flat()

export const showcase: DemoShowcase[] = [
  { title: 'For the wall above the bed', categoryId: 'wall-hangings', deg: 0 },
  { title: 'For plants with a view', categoryId: 'plant-hangers', deg: 45 },
  { title: 'For keys that hide', categoryId: 'key-chains', deg: 90 },
  { title: 'For the good cup', categoryId: 'coasters', deg: 135 },
  { title: 'For market day', categoryId: 'bags', deg: 180 },
  { title: 'For every feast', categoryId: 'garlands', deg: 225 },
  { title: 'For quiet nights', categoryId: 'dream-catchers', deg: 270 },
  { title: 'For dancing', categoryId: 'earrings', deg: 315 },
]

export const slides: DemoSlide[] = [
  {
    scene: 'table',
    message:
      'Everything begins on this table: a cone of cotton, a pair of good scissors and a cup of tea that always goes cold. I have been knotting since my grandmother put a cord into my hands.',
  },
  {
    scene: 'dowel-rack',
    message:
      'Each piece hangs on the rack until it looks right from the door. Some need two evenings, some two weeks, and none leaves before.',
  },
  {
    scene: 'window',
    message: 'My own plants test every hanger first. If a knot can hold a thirsty fern through a whole summer, it can hold yours.',
  },
  {
    scene: 'shelves',
    message: 'Eighteen colours of cotton live on these shelves. Tell me about your room, and we will find the ones that belong there.',
  },
  {
    scene: 'parcel',
    message:
      'At the end I wrap your piece in paper, tie it with leftover cord and write you a few lines by hand. Knots for you, and love with them.',
  },
]
