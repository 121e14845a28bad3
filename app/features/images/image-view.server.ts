import { LRUCache } from 'lru-cache'
import type { PictureView } from '#app/ui/picture.tsx'
import type { ImageTable } from '#db/schema.ts'
import { pictureUrl } from './image-upload.ts'

type ImageColumns = Pick<ImageTable, 'path' | 'width' | 'height' | 'widths' | 'placeholder'>

/** Contains one array for each list of widths. Images with the same widths share this array, so that the serialized data of a page are smaller. */
const knownWidths = new LRUCache<string, number[]>({ max: 100 })

function parseWidths(stored: string): number[] {
  const widths = knownWidths.get(stored) ?? (JSON.parse(stored) as number[])
  knownWidths.set(stored, widths)
  return widths
}

export const toImageView = (row: ImageColumns): PictureView => ({
  url: pictureUrl(row.path),
  width: row.width,
  height: row.height,
  widths: parseWidths(row.widths),
  placeholder: row.placeholder,
})
