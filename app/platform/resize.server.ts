import type { default as Sharp, Sharp as Image } from 'sharp'
import type { PictureTable } from '#db/schema.ts'
import type { Files } from './files.server.ts'

/** Loaded with the first picture: a shop at rest does without its memory (040). */
export async function openSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  // One picture never takes all cores, and none is ever asked for a second time.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

export type Turn = <T>(work: () => Promise<T>) => Promise<T>

/** 360 is a card of the gallery on most phones: 480 made the gallery 60 kB heavier. 750 fills the screen of many a small phone (360 and 375 points of two pixels, 412 of 1.75), which would take 960 for want of it. */
const widths = [240, 360, 480, 750, 960, 1440]

export type FilesOfPicture = Pick<PictureTable, 'path' | 'widths'>
const formats = ['avif', 'webp'] as const
type Format = (typeof formats)[number]

const stemOf = (path: string): string => path.replace(/\.\w+$/, '')
export const variantPath = (path: string, width: number, format: Format): string => `${stemOf(path)}.${width}.${format}`
/** The original that a file belongs to, without its extension. */
export const stemOfVariant = (path: string): string => stemOf(path).replace(/\.\d+$/, '')

export const filesOf = ({ path, widths }: FilesOfPicture): string[] => [
  path,
  ...(JSON.parse(widths) as number[]).flatMap((width) => formats.map((format) => variantPath(path, width, format))),
]

/** Efforts at which a phone photo takes half a second in all; more effort saves a twentieth of the size and takes three times as long. */
const write = {
  webp: (picture: Image) => picture.webp({ quality: 80, effort: 3 }),
  avif: (picture: Image) => picture.avif({ quality: 50, effort: 0, chromaSubsampling: '4:2:0' }),
}

/** Writes the `wanted` widths and returns them; when a write fails, what was written is deleted. Throws where the original is gone. */
export async function makeWidths(
  files: Files,
  picture: Pick<PictureTable, 'path' | 'width'>,
  turn: Turn,
  wanted: readonly number[] = widths,
): Promise<{ widths: number[]; written: string[] }> {
  const original = await files.read(picture.path)
  if (!original) throw new Error('the original is gone')
  const made = [...new Set(wanted.map((width) => Math.min(width, picture.width)))]
  const sharp = await openSharp()
  // Decoded once: the smaller ones come from the largest.
  const { data, info } = await turn(() => sharp(original).resize(made.at(-1)).raw().toBuffer({ resolveWithObject: true }))
  const { width, height, channels } = info
  const written: string[] = []
  try {
    for (const wide of made)
      for (const format of formats) {
        const isOriginal = picture.path.endsWith(`.${format}`) && wide === picture.width
        const encode = () => write[format](sharp(data, { raw: { width, height, channels } }).resize(wide)).toBuffer()
        const path = variantPath(picture.path, wide, format)
        await files.put(path, isOriginal ? original : await turn(encode))
        written.push(path)
      }
  } catch (error) {
    await Promise.allSettled(written.map((path) => files.delete(path)))
    throw error
  }
  return { widths: made, written }
}
