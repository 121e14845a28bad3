export const notForSaleTexts = {
  retired: {
    title: 'Not for sale anymore',
    hint: 'The maker no longer offers this piece. Perhaps you like one of these:',
  },
  sold: {
    title: 'Sold',
    hint: 'This piece was one of a kind. The maker may knot one like it for you.',
  },
  askForSame: 'Ask for one like it',
  category: (category: string) => `See ${category}`,
  contact: 'Ask for something similar',
  refused: 'This piece is not for sale anymore.',
  edit: 'Edit this item',
  draft: {
    title: 'This is a draft',
    hint: 'Only you see this page. Visitors find the piece once you publish it.',
  },
}
