import { readPictureView } from '#app/features/catalog/catalog.server.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import type { Db } from '#db/schema.ts'

export const slideTexts = [
  {
    path: 'scenes/slide-1.avif',
    scene: 'The work table with a cone of cotton, scissors and a cup of tea',
    title: 'The table',
    message:
      'Everything begins on this table: a cone of cotton, a pair of good scissors and a cup of tea that always goes cold. I have been knotting since my grandmother put a cord into my hands.',
  },
  {
    path: 'scenes/slide-2.avif',
    scene: 'Unfinished pieces hanging on the rack of dowels',
    title: 'The rack',
    message:
      'Each piece hangs on the rack until it looks right from the door. Some need two evenings, some two weeks, and none leaves before.',
  },
  {
    path: 'scenes/slide-3.avif',
    scene: 'Plants in macrame hangers at the workshop window',
    title: 'The window',
    message: 'My own plants test every hanger first. If a knot can hold a thirsty fern through a whole summer, it can hold yours.',
  },
  {
    path: 'scenes/slide-4.avif',
    scene: 'Shelves full of cotton cord in every color',
    title: 'The shelves',
    message: 'All my cotton lives on these shelves. Tell me about your room, and we will find the colors that belong there.',
  },
  {
    path: 'scenes/slide-5.avif',
    scene: 'A parcel tied with cord, a handwritten card beside it',
    title: 'The parcel',
    message:
      'At the end I wrap your piece in paper, tie it with leftover cord and write you a few lines by hand. Knots for you, and love with them.',
  },
]

export type Slide = (typeof slideTexts)[number] & { picture: PictureView | null }

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
