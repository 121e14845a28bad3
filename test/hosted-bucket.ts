/** The pictures that test/hosted-shop.json names, as a copy of its bucket; one of them (lost0000) is missing. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

export const HOSTED_SHOP = new URL('./hosted-shop.json', import.meta.url).pathname
/** The owner's uid there. */
export const HOSTED_OWNER = 'kTq2MarisolAdmin0000000001'

const pictures = {
  'items/walls/q1w2e3r4.png': '#2f7f7f',
  'items/hangers/fern one.png': '#7f9a72',
  'colors/teal.png': '#1d7070',
  'colors/cream.png': '#f5ead6',
  'category/walls.png': '#c98a5e',
}

export async function writeHostedBucket(folder: string): Promise<string> {
  for (const [path, background] of Object.entries(pictures)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    const picture = sharp({ create: { width: 640, height: 480, channels: 3, background } })
    await writeFile(join(folder, path), await picture.png().toBuffer())
  }
  return folder
}
