/** Photos as a phone takes them: large, grainy, turned on their side; each in a colour by which it is known again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { onTestFinished } from 'vitest'

export const HUES = { red: '#c0392b', green: '#3f8f4f', blue: '#2f5d93', honey: '#d9a63c' } as const
export type Hue = keyof typeof HUES

type Photo = {
  hue: Hue
  width?: number
  height?: number
  /** as cameras note it: 6 is a quarter turn */ orientation?: number
  quality?: number
}

/** A JPEG; of 12 megapixels at quality 94 it has some 5 MB. */
export async function photo({ hue, width = 4032, height = 3024, orientation = 1, quality = 94 }: Photo): Promise<Buffer> {
  const size = { width, height, channels: 3 as const, background: HUES[hue] }
  // A patch of grain, laid side by side: a whole sheet of it would take seconds.
  const patch = { ...size, width: Math.min(width, 600), height: Math.min(height, 600) }
  const grain = await sharp({ create: { ...patch, noise: { type: 'gaussian', mean: 128, sigma: 16 } } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp({ create: size })
    .composite([{ input: grain, blend: 'soft-light', tile: true }])
    .jpeg({ quality })
    .withMetadata({ orientation })
    .toBuffer()
}

/** Written to files, as a picker takes them; gone when the test is over. */
export async function photoFiles(photos: readonly Photo[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'photos-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return Promise.all(
    photos.map(async (each, at) => {
      const path = join(folder, `${at}-${each.hue}.jpg`)
      await writeFile(path, await photo(each))
      return path
    }),
  )
}

/** Which of the colours a picture is nearest to. */
export async function hueOf(picture: Buffer): Promise<Hue> {
  const { channels } = await sharp(picture).stats()
  const far = (hue: string) =>
    [1, 3, 5].reduce((sum, at, channel) => sum + Math.abs(Number.parseInt(hue.slice(at, at + 2), 16) - channels[channel]!.mean), 0)
  return (Object.keys(HUES) as Hue[]).reduce((best, hue) => (far(HUES[hue]) < far(HUES[best]) ? hue : best))
}
