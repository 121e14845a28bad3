/** The same picture in several widths, in AVIF and in WebP, beside the original. */
import type { Sharp } from 'sharp'
import type { PictureTable } from '#db/tables.ts'
import type { Files } from './files.server.ts'
import type { Turn } from './picture-turns.server.ts'
import { openSharp } from './sharp.server.ts'

/** 750 fills the screen of many a small phone (360 and 375 points of two pixels, 412 of 1.75), which would take 960 for want of it. */
const widths = [240, 480, 750, 960, 1440]

export type FilesOfPicture = Pick<PictureTable, 'path' | 'widths'> & { state: string }
export type Format = 'avif' | 'webp'

const stemOf = (path: string): string => path.replace(/\.\w+$/, '')
export const variantPath = (path: string, width: number, format: Format): string => `${stemOf(path)}.${width}.${format}`
/** The original that a file belongs to, without its extension. */
export const stemOfVariant = (path: string): string => stemOf(path).replace(/\.\d+$/, '')

const readWidths = (picture: { widths: string }): number[] => JSON.parse(picture.widths) as number[]

/** A row that is not finished has WebP alone, from before AVIF came, or nothing. */
export const filesOf = (picture: FilesOfPicture): string[] => [
  picture.path,
  ...readWidths(picture).flatMap((width) =>
    (picture.state === 'finished' ? (['webp', 'avif'] as const) : (['webp'] as const)).map((format) =>
      variantPath(picture.path, width, format),
    ),
  ),
]

/** Efforts at which a phone photo takes half a second in all; more effort saves a twentieth of the size and takes three times as long. */
const write = {
  webp: (picture: Sharp) => picture.webp({ quality: 80, effort: 3 }),
  avif: (picture: Sharp) => picture.avif({ quality: 50, effort: 0, chromaSubsampling: '4:2:0' }),
}

/** Writes what is missing of the `wanted` widths and tells them; when a write fails, what was written goes again. Throws where the original is gone. */
export async function makeWidths(
  files: Files,
  picture: Pick<PictureTable, 'path' | 'width' | 'widths'>,
  turn: Turn = (work) => work(),
  wanted: readonly number[] = widths,
): Promise<{ widths: number[]; written: string[] }> {
  const original = await files.read(picture.path)
  if (!original) throw new Error('the original is gone')
  const made = [...new Set(wanted.map((width) => Math.min(width, picture.width)))]
  const sharp = await openSharp()
  // Decoded once: the smaller ones come from the largest.
  const { data, info } = await turn(() => sharp(original).resize(made.at(-1)).raw().toBuffer({ resolveWithObject: true }))
  const { width, height, channels } = info
  const before = readWidths(picture)
  const written: string[] = []
  try {
    for (const wide of made)
      for (const format of ['avif', 'webp'] as const) {
        if (format === 'webp' && before.includes(wide)) continue
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
