export const homeTexts = {
  welcome: 'Welcome',
  resumeWords: 'Resume the changing words',
  pauseWords: 'Pause the changing words',
  categories: 'Categories',
  seeCategory: (category: string) => `See ${category} in the gallery`,
  gallery: 'Browse the gallery',
  clearance: 'Clearance',
  newPieces: 'Fresh from the workshop',
  colors: 'Look through our Available Colors',
  viewAllColors: 'View All',
  showFewerColors: 'Show fewer',
}
