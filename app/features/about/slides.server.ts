import { toImageView } from '#app/features/catalog/catalog.server.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { Db } from '#db/schema.ts'
import { slideTexts } from './texts.ts'

const slides = slideTexts.map((texts, at) => ({ path: `scenes/slide-${at + 1}.avif`, ...texts }))
export const slidePaths = slides.map(({ path }) => path)

export type Slide = (typeof slides)[number] & { picture: PictureView | null }

export async function listSlides(db: Db): Promise<Slide[]> {
  const rows = await db
    .selectFrom('pictures')
    .select(['path', 'width', 'height', 'widths', 'placeholder', 'state'])
    .where('path', 'in', slidePaths)
    .execute()
  const pictures = new Map(rows.map((row) => [row.path, toImageView(row)]))
  return slides.map((slide) => ({ ...slide, picture: pictures.get(slide.path) ?? null }))
}
