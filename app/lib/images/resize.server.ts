import type { default as Sharp, Sharp as Image } from 'sharp'
import type { ImageTable } from '#db/schema.ts'
import type { FileStorage } from '#app/lib/storage/storage.server.ts'

/** sharp is loaded with the first image, because it uses much memory. */
export async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>

/** A gallery card on most phones needs 360; with 480 the gallery would be 60 kB larger. 750 fills the screen of many small phones, which would otherwise load 960. */
const widths = [240, 360, 480, 750, 960, 1440]

export type ImageFiles = Pick<ImageTable, 'path' | 'widths'>
const formats = ['avif', 'webp'] as const
type Format = (typeof formats)[number]

const stemOf = (path: string): string => path.replace(/\.\w+$/, '')
export const variantPath = (path: string, width: number, format: Format): string => `${stemOf(path)}.${width}.${format}`
/** Returns the path of the original without its extension. */
export const stemOfVariant = (path: string): string => stemOf(path).replace(/\.\d+$/, '')

export const filesOf = ({ path, widths }: ImageFiles): string[] => [
  path,
  ...(JSON.parse(widths) as number[]).flatMap((width) => formats.map((format) => variantPath(path, width, format))),
]

/** With these settings a phone's photo takes half a second; more effort saves 5 % of the size and takes three times as long. */
const encoders = {
  webp: (picture: Image) => picture.webp({ quality: 80, effort: 3 }),
  avif: (picture: Image) => picture.avif({ quality: 50, effort: 0, chromaSubsampling: '4:2:0' }),
}

/** Writes the `wanted` widths and returns them; if one fails, it deletes what it wrote. Throws if the original is missing. */
export async function writeVariants(
  files: FileStorage,
  picture: Pick<ImageTable, 'path' | 'width'>,
  turn: RunExclusive,
  targetWidths: readonly number[] = widths,
): Promise<{ widths: number[]; written: string[] }> {
  const original = await files.read(picture.path)
  if (!original) throw new Error('the original is gone')
  const made = [...new Set(targetWidths.map((width) => Math.min(width, picture.width)))]
  const sharp = await loadSharp()
  // Decodes the original once; smaller widths are made from the largest one.
  const { data, info } = await turn(() => sharp(original).resize(made.at(-1)).raw().toBuffer({ resolveWithObject: true }))
  const { width, height, channels } = info
  const written: string[] = []
  try {
    for (const wide of made)
      for (const format of formats) {
        const isOriginal = picture.path.endsWith(`.${format}`) && wide === picture.width
        const encode = () => encoders[format](sharp(data, { raw: { width, height, channels } }).resize(wide)).toBuffer()
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
