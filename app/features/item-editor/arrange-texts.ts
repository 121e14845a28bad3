/** The texts of the page on which the owner arranges her items. */

export const arrangeTexts = {
  title: 'Order of Pieces',
  intro:
    'Drag a piece, or type its place. Once you have arranged them, the gallery shows your pieces in this order; new ones come first.',
  link: 'Arrange pieces',
  categories: 'Categories',
  all: 'All',
  order: 'Order of pieces',
  place: (piece: string) => `Place of ${piece}`,
  placeHint: 'Type a whole number, 1 or higher, such as 3.',
  newestFirst: 'Newest first again',
  newestFirstQuestion: 'Give up this order, and show the newest pieces first again?',
  isCut: (count: number) =>
    `These are the first ${count} pieces. Choose a category to arrange the others.`,
  none: 'There are no pieces in the shop yet.',
  add: 'Add a piece',
}
