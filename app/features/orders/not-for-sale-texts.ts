/** These texts replace the order request form on the page of a draft or retired item. Browsers do not load this file for a listed item. */

export const notForSaleTexts = {
  title: 'Not for sale any more',
  hint: 'The maker no longer offers this piece. Perhaps you like one of these:',
  category: (category: string) => `See ${category}`,
  contact: 'Ask for something similar',
  refused: 'This piece is not for sale any more.',
  edit: 'Edit this item',
  draftTitle: 'This is a draft',
  draftHint: 'Only you see this page. Visitors find the piece once you publish it.',
}
