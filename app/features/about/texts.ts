/** The texts of the About page. */

export const aboutTexts = {
  title: 'About',
  intro: 'How a knot finds its way from my table to your wall, in five pictures.',
  story: 'About the owner',
  slide: (number: number) => `Slide ${number}`,
  play: 'Play',
  pause: 'Pause',
  gallery: 'See what hangs on the rack',
  contact: 'Write to me',
}

/** `scene`: what the picture shows. */
export const slideTexts = [
  {
    scene: 'The work table with a cone of cotton, scissors and a cup of tea',
    title: 'The table',
    message:
      'Everything begins on this table: a cone of cotton, a pair of good scissors and a cup of tea that always goes cold. I have been knotting since my grandmother put a cord into my hands.',
  },
  {
    scene: 'Unfinished pieces hanging on the rack of dowels',
    title: 'The rack',
    message:
      'Each piece hangs on the rack until it looks right from the door. Some need two evenings, some two weeks, and none leaves before.',
  },
  {
    scene: 'Plants in macrame hangers at the workshop window',
    title: 'The window',
    message: 'My own plants test every hanger first. If a knot can hold a thirsty fern through a whole summer, it can hold yours.',
  },
  {
    scene: 'Shelves full of cotton cord in every color',
    title: 'The shelves',
    message: 'All my cotton lives on these shelves. Tell me about your room, and we will find the colors that belong there.',
  },
  {
    scene: 'A parcel tied with cord, a handwritten card beside it',
    title: 'The parcel',
    message:
      'At the end I wrap your piece in paper, tie it with leftover cord and write you a few lines by hand. Knots for you, and love with them.',
  },
]
