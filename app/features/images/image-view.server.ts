import { LRUCache } from 'lru-cache'
import type { ImageView } from '#ui/responsive-image.tsx'
import type { ImageTable } from '#db/schema.ts'
import { imageUrl } from './image-upload.ts'

export type ImageColumns = Pick<ImageTable, 'path' | 'width' | 'height' | 'widths' | 'placeholder'>

/** Images share the array of equal widths, so that the serialized page is smaller. */
const knownWidths = new LRUCache<string, number[]>({ max: 100 })

function parseWidths(json: string) {
  const widths = knownWidths.get(json) ?? (JSON.parse(json) as number[])
  knownWidths.set(json, widths)
  return widths
}

export const toImageView = (row: ImageColumns): ImageView => ({
  url: imageUrl(row.path),
  width: row.width,
  height: row.height,
  widths: parseWidths(row.widths),
  placeholder: row.placeholder,
})
