/** The demo shop's images: AVIF files under demo/images, in the folders in which a shop stores them, described by demo/images.json. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { AppServices } from '#app/services/context.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import type { StoredImage } from '#app/lib/images/image-store.server.ts'

/** Pixels, and what a page shows until the image has arrived. */
type ImageRecord = { width: number; height: number; placeholder: string }

const list = createRequire(import.meta.url).resolve('#demo/images.json')
export const imageFolder = join(dirname(list), 'images')

/** By the stored path without its extension. */
export const readImageRecords = async () => JSON.parse(await readFile(list, 'utf8')) as Record<string, ImageRecord>

/** More concurrent writes would not be faster. */
const IN_FLIGHT = 8

/** Stores every image under its fixed name and returns the rows that the caller inserts, by the same keys. Variants are created once the shop is running. */
export async function copyImages({ storage, now }: AppServices): Promise<Map<string, StoredImage>> {
  const rows = new Map<string, StoredImage>()
  const waiting = Object.entries(await readImageRecords()).values()
  const copy = async () => {
    for (const [key, image] of waiting) {
      const path = `${key}.avif`
      await storage.put(path, await readFile(join(imageFolder, path)))
      // Profile photos are small already.
      const state = key.startsWith('people/') ? 'finished' : 'waiting'
      rows.set(key, { id: newId15(), path, ...image, widths: '[]', state, attempts: 0, nextAttemptAt: 0, createdAt: now() })
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, copy))
  return rows
}
