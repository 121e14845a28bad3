/** Stores the images of the demo shop: AVIF files in demo/images, which demo/images.json describes. Each new shop gets the scenes (the default pictures of Home and About), even without other demo data. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { AppServices } from '#app/services/context.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { defaultScenePaths } from '#app/features/images/scenes.server.ts'
import type { StoredImage } from '#app/lib/images/image-store.server.ts'

/** `width` and `height` are in pixels. A page shows `placeholder` until the image has loaded. */
type ImageRecord = { width: number; height: number; placeholder: string }

const list = createRequire(import.meta.url).resolve('#demo/images.json')
export const imageFolder = join(dirname(list), 'images')

/** Returns the record of each image by its stored path without the extension. */
export const readImageRecords = async () =>
  JSON.parse(await readFile(list, 'utf8')) as Record<string, ImageRecord>

/** The number of images that are written at the same time. A larger number would not be faster. */
const IN_FLIGHT = 8

/** Stores the images under their fixed names, and returns a row for each image, which the caller inserts. The running shop creates the smaller variants of the images later. */
async function copyImages(
  { storage, now }: AppServices,
  isWanted: (path: string) => boolean,
): Promise<Map<string, StoredImage>> {
  const rows = new Map<string, StoredImage>()
  const waiting = Object.entries(await readImageRecords()).values()
  const copy = async () => {
    for (const [key, image] of waiting) {
      const path = `${key}.avif`
      if (!isWanted(path)) continue
      await storage.put(path, await readFile(join(imageFolder, path)))
      // Profile photos need no variants, because they are already small.
      const state = key.startsWith('people/') ? 'finished' : 'waiting'
      rows.set(key, {
        id: newId15(),
        path,
        ...image,
        widths: '[]',
        state,
        attempts: 0,
        nextAttemptAt: 0,
        createdAt: now(),
      })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, copy))
  return rows
}

/** Stores all images except the scenes. */
export const copyCatalogImages = (app: AppServices) =>
  copyImages(app, (path) => !defaultScenePaths.includes(path))

/** Stores the missing default pictures of Home and About. Several processes may call this function at the same time. [OWN-06] */
export async function ensureScenes(app: AppServices): Promise<void> {
  const stored = await app.db
    .selectFrom('pictures')
    .select('path')
    .where('path', 'in', defaultScenePaths)
    .execute()
  const present = new Set(stored.map(({ path }) => path))
  if (present.size === defaultScenePaths.length) return
  const rows = await copyImages(
    app,
    (path) => defaultScenePaths.includes(path) && !present.has(path),
  )
  await app.db
    .insertInto('pictures')
    .values([...rows.values()])
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute()
}
