/** The About page's five slides: what the owner says, and what each picture shows (ABOUT-01, S-028). */

/** ABOUT-04: milliseconds */
export const SLIDE_EVERY = 10_000

export type SlideText = { path: string; scene: string; title: string; message: string }

export const slideTexts: readonly SlideText[] = [
  {
    path: 'scenes/slide-1.webp',
    scene: 'The work table with a cone of cotton, scissors and a cup of tea',
    title: 'The table',
    message:
      'Everything begins on this table: a cone of cotton, a pair of good scissors and a cup of tea that always goes cold. I have been knotting since my grandmother put a cord into my hands.',
  },
  {
    path: 'scenes/slide-2.webp',
    scene: 'Unfinished pieces hanging on the rack of dowels',
    title: 'The rack',
    message:
      'Each piece hangs on the rack until it looks right from the door. Some need two evenings, some two weeks, and none leaves before.',
  },
  {
    path: 'scenes/slide-3.webp',
    scene: 'Plants in macrame hangers at the workshop window',
    title: 'The window',
    message: 'My own plants test every hanger first. If a knot can hold a thirsty fern through a whole summer, it can hold yours.',
  },
  {
    path: 'scenes/slide-4.webp',
    scene: 'Shelves full of cotton cord in every color',
    title: 'The shelves',
    message: 'All my cotton lives on these shelves. Tell me about your room, and we will find the colors that belong there.',
  },
  {
    path: 'scenes/slide-5.webp',
    scene: 'A parcel tied with cord, a handwritten card beside it',
    title: 'The parcel',
    message:
      'At the end I wrap your piece in paper, tie it with leftover cord and write you a few lines by hand. Knots for you, and love with them.',
  },
]
