import type { default as Sharp, Sharp as Image } from 'sharp'
import type { ImageTable } from '#db/schema.ts'
import type { FileStorage } from '#app/lib/storage/storage.server.ts'

/** Loads sharp only for the first image, because sharp uses much memory. */
export async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>

/** Variants have these widths in pixels. The width 360 fits a gallery card on most phones, and 750 fits the screen of many small phones. Without these two widths, such phones would load a larger variant. */
const widths = [240, 360, 480, 750, 960, 1440]

export type ImageFiles = Pick<ImageTable, 'path' | 'widths'>
const formats = ['avif', 'webp'] as const
type Format = (typeof formats)[number]

const stemOf = (path: string): string => path.replace(/\.\w+$/, '')
export const variantPath = (path: string, width: number, format: Format): string =>
  `${stemOf(path)}.${width}.${format}`
/** Returns, for the path of a variant, the path of its original without the extension. */
export const stemOfVariant = (path: string): string => stemOf(path).replace(/\.\d+$/, '')

export const filesOf = ({ path, widths }: ImageFiles): string[] => [
  path,
  ...(JSON.parse(widths) as number[]).flatMap((width) =>
    formats.map((format) => variantPath(path, width, format)),
  ),
]

/** With these settings, encoding a phone's photo takes half a second. More effort would make the file 5 % smaller, but take three times as long. */
const encoders = {
  webp: (picture: Image) => picture.webp({ quality: 80, effort: 3 }),
  avif: (picture: Image) => picture.avif({ quality: 50, effort: 0, chromaSubsampling: '4:2:0' }),
}

/** Writes the variants and returns their widths. Throws if the original is missing. If a variant cannot be written, deletes the other variants and throws. */
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
  // The original is decoded and scaled to the largest width only once. All variants that differ from the original are made from this result.
  const { data, info } = await turn(() =>
    sharp(original).resize(made.at(-1)).raw().toBuffer({ resolveWithObject: true }),
  )
  const { width, height, channels } = info
  const written: string[] = []
  try {
    for (const wide of made)
      for (const format of formats) {
        const isOriginal = picture.path.endsWith(`.${format}`) && wide === picture.width
        const encode = () =>
          encoders[format](
            sharp(data, { raw: { width, height, channels } }).resize(wide),
          ).toBuffer()
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
