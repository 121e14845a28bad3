/**
 * Stores the images of the demo shop: AVIF files in demo/images, which demo/images.json describes.
 * Each new shop gets the scenes (the default images of Home and About), even without other demo
 * data.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { AppServices } from '#services/context.ts'
import { newId15 } from '#lib/text/ids.ts'
import { defaultScenePaths } from '#images/scenes.server.ts'
import type { StoredImage } from '#services/image-store.server.ts'

/** pixels */
type ImageRecord = { width: number; height: number; placeholder: string }

const list = createRequire(import.meta.url).resolve('#demo/images.json')
export const imageFolder = join(dirname(list), 'images')

/** By the stored path without the extension. */
export const readImageRecords = async () =>
  JSON.parse(await readFile(list, 'utf8')) as Record<string, ImageRecord>

const IN_FLIGHT = 8

/** A row for each image, which the caller inserts. */
async function copyImages({ storage, now }: AppServices, isWanted: (path: string) => boolean) {
  const rows = new Map<string, StoredImage>()
  const waiting = Object.entries(await readImageRecords()).values()
  const copy = async () => {
    for (const [key, image] of waiting) {
      const path = `${key}.avif`
      if (!isWanted(path)) continue
      await storage.put(path, await readFile(join(imageFolder, path)))
      // They are already small.
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

export const copyCatalogImages = (app: AppServices) =>
  copyImages(app, (path) => !defaultScenePaths.includes(path))

/**
 * Stores the missing default images of Home and About. Several processes may call this function
 * at the same time. [OWN-06]
 */
export async function ensureScenes(app: AppServices) {
  const images = await app.db
    .selectFrom('images')
    .select('path')
    .where('path', 'in', defaultScenePaths)
    .execute()
  const paths = new Set(images.map(({ path }) => path))
  const missingPaths = defaultScenePaths.filter((path) => !paths.has(path))
  if (missingPaths.length === 0) return
  const rows = await copyImages(app, (path) => missingPaths.includes(path))
  await app.db
    .insertInto('images')
    .values([...rows.values()])
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute()
}
