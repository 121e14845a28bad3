/** Turns an uploaded picture into what pages show: a clean original, WebP in several widths, its size, and a tiny blurred placeholder. */
import sharp from 'sharp'
import type { Db, PictureTable, Tx } from '#db/tables.ts'
import { newId8, newId15 } from './ids.ts'
import type { Files } from './files.server.ts'

const widths = [240, 480, 960, 1440]
/** 80 megapixels: above any phone, below a decompression bomb. */
const limitInputPixels = 80_000_000
/** WebP knows no longer side. */
const LONGEST_SIDE = 16_383
const extensions: Record<string, string> = { jpeg: 'jpg', png: 'png', webp: 'webp', heif: 'avif', gif: 'gif' }

/** items/{category} | colors | category | people | scenes (FILES-01 to FILES-03) */
export type PictureFolder = `items/${string}` | 'colors' | 'category' | 'people' | 'scenes'
export type StoredPicture = PictureTable
export type NotAPicture = 'not-an-image'

export type Pictures = {
  /** Writes the files, not yet the row: call keep() in the transaction that uses the picture, or discard() when it failed. */
  prepare: (
    folder: PictureFolder,
    bytes: Uint8Array,
    /** random unless given; a given name is overwritten */
    name?: string,
  ) => Promise<{ ok: true; picture: StoredPicture } | { ok: false; refusal: NotAPicture }>
  keep: (db: Db | Tx, picture: StoredPicture) => Promise<void>
  /** Deletes the files of a picture whose row is gone or never came. */
  discard: (picture: Pick<StoredPicture, 'path' | 'widths'>) => Promise<void>
}

export const variantPath = (path: string, width: number): string => `${path.replace(/\.\w+$/, '')}.${width}.webp`

const variantPaths = (picture: Pick<StoredPicture, 'path' | 'widths'>): string[] =>
  (JSON.parse(picture.widths) as number[]).map((width) => variantPath(picture.path, width))

export function openPictures(files: Files, now: () => number): Pictures {
  return {
    async prepare(folder, bytes, name = newId8() + newId8()) {
      const source = sharp(bytes, { limitInputPixels, failOn: 'error' })
      // The content decides what it is, not the name; SVG is a program, not a photo.
      const extension = extensions[(await source.metadata().catch(() => null))?.format ?? '']
      if (!extension) return { ok: false, refusal: 'not-an-image' }
      const path = `${folder}/${name}.${extension}`
      // rotate() applies the orientation; writing without metadata drops place and camera.
      const decoded = await source
        .rotate()
        .toBuffer({ resolveWithObject: true })
        .catch(() => null)
      if (!decoded) return { ok: false, refusal: 'not-an-image' }
      const { width, height } = decoded.info
      if (Math.max(width, height) > LONGEST_SIDE) return { ok: false, refusal: 'not-an-image' }
      const made = [...new Set(widths.map((wanted) => Math.min(wanted, width)))]
      const tiny = await sharp(decoded.data).resize(16, 1024, { fit: 'inside' }).webp({ quality: 40 }).toBuffer()
      const picture: StoredPicture = {
        id: newId15(),
        path,
        width,
        height,
        widths: JSON.stringify(made),
        placeholder: `data:image/webp;base64,${tiny.toString('base64')}`,
        createdAt: now(),
      }
      try {
        await files.put(path, decoded.data)
        await Promise.all(
          made.map(async (wanted) => {
            const isOriginal = extension === 'webp' && wanted === width
            const variant = isOriginal ? decoded.data : await sharp(decoded.data).resize(wanted).webp({ quality: 80, effort: 3 }).toBuffer()
            await files.put(variantPath(path, wanted), variant)
          }),
        )
      } catch (error) {
        await this.discard(picture).catch(() => {})
        throw error
      }
      return { ok: true, picture }
    },
    async keep(db, picture) {
      await db.insertInto('pictures').values(picture).execute()
    },
    async discard(picture) {
      await Promise.all([picture.path, ...variantPaths(picture)].map((path) => files.delete(path)))
    },
  }
}
