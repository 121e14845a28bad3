/** The texts of the home page, except those that the owner edits. */

export const heroTexts = {
  section: 'Welcome',
  resumeWords: 'Resume the changing words',
  pauseWords: 'Pause the changing words',
  categories: 'Categories',
  seeCategory: (category: string) => `See ${category} in the gallery`,
  gallery: 'Browse the gallery',
}

export const clearanceTexts = {
  banner: 'Clearance',
}

export const newPiecesTexts = {
  title: 'Fresh from the workshop',
}

export const homeColorsTexts = {
  title: 'Look through our Available Colors',
  viewAll: 'View All',
  showFewer: 'Show fewer',
}
