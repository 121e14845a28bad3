// The demo shop's whole catalogue, gathered: colours, categories, items, showcase, people, sales and the scenes of the About page.
import { bags, earrings, keyChains } from './items-carry.ts'
import { coasters, plantHangers } from './items-home.ts'
import { dreamCatchers, garlands, wallHangings } from './items-walls.ts'
import type { DemoCategory, DemoItem, DemoShowcase, SceneName } from './record.ts'

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

/** The pictures of the About page, in the order of its texts (app/features/about/slides.ts). */
export const scenes: readonly SceneName[] = ['table', 'dowel-rack', 'window', 'shelves', 'parcel']
