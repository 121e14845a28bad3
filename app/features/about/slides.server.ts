/** The pictures of the About page, where they are stored. */
import { readPictureView } from '#app/features/catalog/picture-rows.server.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { Db } from '#db/tables.ts'
import { slideTexts, type SlideText } from './slides.ts'

export type Slide = SlideText & { picture: PictureView | null }

export async function listSlides(db: Db): Promise<Slide[]> {
  const rows = await db
    .selectFrom('pictures')
    .select(['path', 'width', 'height', 'widths', 'placeholder', 'state'])
    .where(
      'path',
      'in',
      slideTexts.map(({ path }) => path),
    )
    .execute()
  const pictures = new Map(rows.map((row) => [row.path, readPictureView(row)]))
  return slideTexts.map((slide) => ({ ...slide, picture: pictures.get(slide.path) ?? null }))
}
