/** Draws every picture of the demo shop and puts it through the same pipeline as an upload. Names are fixed, so a killed start overwrites. */
import type { Shop } from '#app/platform/context.ts'
import type { PictureFolder, StoredPicture } from '#app/platform/pictures.server.ts'
import { categories, colors, customers, items, scenes, testimonials } from './catalogue.ts'
import { drawCategory, drawColor, drawItemPicture, drawPortrait, drawScene, drawWallpaper } from './draw/draw.ts'

type Drawing = { folder: PictureFolder; name: string; draw: (widest: number | null) => Promise<Buffer> }

/** Encoding overlaps drawing; more in flight only costs memory. */
const IN_FLIGHT = 4

const drawings: Drawing[] = [
  ...items.flatMap((item) =>
    item.pictures.map((_, index) => ({
      folder: `items/${item.categoryId}` as const,
      name: `${item.id}-${index + 1}`,
      draw: (widest: number | null) => drawItemPicture(item, index, widest),
    })),
  ),
  ...colors.map((color) => ({ folder: 'colors' as const, name: color.id, draw: (widest: number | null) => drawColor(color, widest) })),
  ...categories.map((category) => ({
    folder: 'category' as const,
    name: category.id,
    draw: (widest: number | null) => drawCategory(category, widest),
  })),
  ...scenes.map((scene, index) => ({
    folder: 'scenes' as const,
    name: `slide-${index + 1}`,
    draw: (widest: number | null) => drawScene(scene, widest),
  })),
  ...(['dark', 'light'] as const).map((theme) => ({
    folder: 'scenes' as const,
    name: `wallpaper-${theme}`,
    draw: (widest: number | null) => drawWallpaper(theme, widest),
  })),
  ...['owner', ...customers.map((customer) => customer.id), ...testimonials.map((testimonial) => testimonial.id)].map((seed) => ({
    folder: 'people' as const,
    name: seed,
    draw: () => drawPortrait(seed),
  })),
]

/** How many pixels wide a picture is at most, by its name; null: as drawn. */
export type Widest = (name: string) => number | null

/** The stored pictures by '{folder}/{name}'; their rows are not written yet. */
export async function prepareDemoPictures(
  shop: Shop,
  say: (line: string) => void,
  widest: Widest = () => null,
): Promise<Map<string, StoredPicture>> {
  const prepared = new Map<string, StoredPicture>()
  const waiting = drawings.values()
  const work = async () => {
    for (const { folder, name, draw } of waiting) {
      const stored = await shop.pictures.prepare(folder, await draw(widest(name)), name)
      if (!stored.ok) throw new Error(`the drawing ${folder}/${name} is no picture`)
      prepared.set(`${folder}/${name}`, await shop.pictures.complete(stored.picture))
      if (prepared.size % 20 === 0) say(`Drawing the demo shop's pictures: ${prepared.size} of ${drawings.length}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  return prepared
}
