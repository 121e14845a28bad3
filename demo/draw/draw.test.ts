// The drawing program is deterministic, draws every record, and keeps its files small.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { isFull, sized } from '#test/size.ts'
import { categories, colors, items, scenes, type DemoItem } from '../catalogue.ts'
import { drawCategory, drawColor, drawItemPicture, drawPortrait, drawScene, drawWallpaper } from './draw.ts'
import { itemPicture } from './view.ts'

const sizeLimit = 2_000_000

async function measure(picture: Buffer) {
  const { width, height, format } = await sharp(picture).metadata()
  return { width, height, format }
}

test('the same record gives the same bytes, whatever was drawn in between', { timeout: 60_000 }, async () => {
  const [item, other] = [items[0]!, items[5]!]
  const first = await drawItemPicture(item, 0)
  await Promise.all([drawItemPicture(other, 0), drawItemPicture(other, 1), drawColor(colors[3]!)])
  expect((await drawItemPicture(item, 0)).equals(first)).toBe(true)
  expect((await drawPortrait('clara')).equals(await drawPortrait('clara'))).toBe(true)
})

test('every picture of every item can be composed of shapes', () => {
  for (const item of items) item.pictures.forEach((_, index) => expect(itemPicture(item, index).layers.length).toBeGreaterThan(0))
})

test('one picture of each kind and view is drawn, below two megabytes, and none is like another', { timeout: 120_000 }, async () => {
  const samples = new Map<string, { item: DemoItem; index: number }>()
  for (const item of items) item.pictures.forEach(({ view }, index) => samples.set(`${item.design.kind} ${view}`, { item, index }))
  const drawn = [...samples.values()].filter((_, n) => n % sized(4, 1) === 0)
  const pictures = await Promise.all(drawn.map(({ item, index }) => drawItemPicture(item, index)))
  for (const picture of pictures) expect(picture.length).toBeLessThan(sizeLimit)
  expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(pictures.length)
})

test('colours, categories, scenes, portraits and wallpapers have their sizes', { timeout: 120_000 }, async () => {
  /** Their sizes do not hang on what is drawn: a few are enough for a quick run. */
  const some = <Drawn>(all: readonly Drawn[]) => (isFull ? all : all.slice(0, 2))
  for (const color of some(colors)) expect(await measure(await drawColor(color))).toEqual({ width: 700, height: 700, format: 'webp' })
  for (const category of some(categories))
    expect(await measure(await drawCategory(category))).toEqual({ width: 900, height: 900, format: 'webp' })
  for (const scene of some(scenes)) expect(await measure(await drawScene(scene))).toEqual({ width: 1600, height: 1000, format: 'webp' })
  expect(await measure(await drawPortrait('owner'))).toEqual({ width: 400, height: 400, format: 'webp' })
  for (const theme of isFull ? (['dark', 'light'] as const) : (['dark'] as const)) {
    const picture = await drawWallpaper(theme)
    expect(picture.length).toBeLessThan(sizeLimit)
    expect(await measure(picture)).toEqual({ width: 2000, height: 1100, format: 'webp' })
  }
})

test('a picture that does not exist is refused', async () => {
  await expect(async () => drawItemPicture(items[0]!, 9)).rejects.toThrow(/no picture/)
})
