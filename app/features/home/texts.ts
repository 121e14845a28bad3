/** The texts of the home page. */

export const heroTexts = {
  section: 'Welcome',
  headline: 'Knotted by hand, with love:',
  resumeWords: 'Resume the changing words',
  pauseWords: 'Pause the changing words',
  categories: 'Categories',
  seeCategory: (category: string) => `See ${category} in the gallery`,
  gallery: 'Browse the gallery',
  lead: 'Cotton, wood and patience. Every piece is tied by one pair of hands, in the colors that you choose.',
}

/** They take turns after the headline. */
export const suffixWords = [
  'wall hangings',
  'plant hangers',
  'key chains',
  'coasters',
  'market bags',
  'garlands',
  'dream catchers',
  'earrings',
  'table runners',
  'lampshades',
  'tassels',
  'curtains',
  'bookmarks',
  'cushions',
  'hammocks',
  'tiny presents',
] as const

export const clearanceTexts = {
  banner: 'Clearance',
  sentence: { offer: '50% off everything', after: ', while stocks last' },
}

export const newPiecesTexts = {
  title: 'Fresh from the workshop',
}

export const promoTexts = [
  {
    title: 'Tied in your colors',
    text: 'Show me your room, name two colors, and I will find the cords that belong there. Most pieces can be made in any color on my shelf.',
    link: 'Find your piece',
  },
  {
    title: 'Made slowly, to stay for years',
    text: 'Thick cotton, sanded wood and knots that hold. Nothing is glued, nothing comes from a factory, and everything can be washed, combed and mended.',
    link: 'See what is ready',
  },
]

export const homeColorsTexts = {
  title: 'Look through our Available Colors',
  viewAll: 'View All',
}
