// The door to the drawing program: every picture of the demo shop from its record, always the same bytes for the same record.
// `widest`, in pixels: smaller than said here, for those who need it soon rather than large.
import { items } from '../catalogue.ts'
import type { DemoCategory, DemoColor, DemoItem, SceneName } from '../record.ts'
import { paint } from './picture.ts'
import { portrait } from './portrait.ts'
import { scenes } from './scene.ts'
import { swatch } from './swatch.ts'
import { itemPicture } from './view.ts'
import { mixed } from './tone.ts'
import { wallpaper, type Theme } from './wallpaper.ts'

/** WebP, 1400 by 1400. */
export function drawItemPicture(item: DemoItem, pictureIndex: number, widest: number | null = null): Promise<Buffer> {
  return paint(itemPicture(item, pictureIndex), widest)
}

/** WebP, 700 by 700: the cord close up. */
export function drawColor(color: DemoColor, widest: number | null = null): Promise<Buffer> {
  return paint(swatch(color), widest)
}

/** WebP, 900 by 900: the category's first item before a wall in the category's own colour. */
export function drawCategory(category: DemoCategory, widest: number | null = null): Promise<Buffer> {
  const item = items.find((candidate) => candidate.categoryId === category.id)
  if (!item) throw new Error(`category ${category.id} has no item`)
  const { camera, layers } = itemPicture(item, 0)
  const scale = camera.scale * (900 / 1400) * 0.98
  const backdrop = { ground: 'plaster', color: mixed(category.color, '#f4ece0', 0.45) } as const
  return paint({ width: 900, height: 900, backdrop, camera: { ...camera, scale }, layers }, widest)
}

/** WebP, 1600 by 1000. */
export function drawScene(scene: SceneName, widest: number | null = null): Promise<Buffer> {
  return paint(scenes[scene](), widest)
}

/** WebP, 400 by 400. The seed is a customer's id, a testimonial's id, 'owner', or anything else. */
export function drawPortrait(seed: string): Promise<Buffer> {
  return portrait(seed)
}

/** WebP, 2000 by 1100. */
export function drawWallpaper(theme: Theme, widest: number | null = null): Promise<Buffer> {
  return paint(wallpaper(theme), widest)
}
