/** The texts of the page on which the owner edits Home, and the default texts of a new shop. The defaults must be true for any shop. */
import type { HomeTexts } from './home-texts.ts'

export const defaultHomeTexts: HomeTexts = {
  homeHeadline: 'Knotted by hand',
  homeWords: [
    'for you',
    'for a friend',
    'for your home',
    'for a birthday',
    'for a new home',
    'for a wedding',
    'for a baby',
    'for a neighbor',
    'for every day',
    'for quiet days',
    'for a thank-you',
    'for holidays',
    'for two',
    'for no reason',
    'for far away',
    'for keeps',
  ],
  homeLead: 'Macrame, tied by hand, one piece at a time.',
  homeTitle1: 'Every knot by hand',
  homeText1:
    'Cord, two hands and time: that is what macrame is made of. Open a piece to see it from close by.',
  homeLink1: 'See the pieces',
  homeTo1: '/gallery/',
  homeTitle2: 'Every order is a conversation',
  homeText2:
    'Send a request from a piece that you like. We then write to each other about color, size and price.',
  homeLink2: 'Look around',
  homeTo2: '/gallery/',
  promoText: '50% off everything, while stocks last',
  promoTo: '',
  isPromoShown: false,
}

export const homeErrorTexts = {
  wordCount: (most: number, found: number) =>
    `Please write 1 to ${most} words or phrases, one on each line. ${found === 0 ? 'There are none now.' : `There are ${found} now.`}`,
  longWord: (word: string, most: number) =>
    `At most ${most} characters fit on a line of the headline: “${word.slice(0, 60)}” is longer`,
}

export const editHomeTexts = {
  title: 'Home page',
  intro:
    'What visitors see first. Pictures and the ring change immediately; texts change when you save them.',
  wallpapers: 'Wallpaper',
  sectionPictures: 'Pictures of the sections',
  texts: 'Headline',
  sections: { first: 'First section', second: 'Second section' },
  promo: 'Banner',
  headline: 'Beginning of the headline',
  words: 'Words that take turns after it',
  wordsHint: (count: number, most: number) =>
    `1 to ${count}, one on each line of at most ${most} characters. A single word stays.`,
  lead: 'Text below the button',
  sectionTitle: 'Title',
  sectionText: 'Text',
  link: 'Text of the link',
  to: 'The link leads to',
  toHint: 'A page of the shop, such as /gallery/, or an address that begins with https://',
  promoText: 'Text of the banner',
  promoTo: 'The banner leads to (optional)',
  isPromoShown: 'Show the banner on Home',
  noDiscount:
    'No piece has a discount now, so the banner would promise something that is not true.',
}

export const ringTexts = {
  title: 'The circles of categories on Home',
  hint: 'A circle shows its own picture, or the picture of its category.',
  empty:
    'The ring shows the categories that have a picture. Give a category a picture, or add one here.',
  order: 'Order of the circles',
  edit: 'Edit',
  editCircle: (category: string) => `Edit ${category}`,
  circleTitle: 'Title below the ring (optional)',
  picture: 'Own picture of the circle (optional)',
  save: 'Save',
  saveCircle: (category: string) => `Save the circle of ${category}`,
  saving: 'Saving…',
  move: { up: 'Move up', down: 'Move down' },
  remove: 'Take out',
  removeCircle: (category: string) => `Take ${category} out of the ring`,
  removeQuestion: (category: string) => `Take ${category} out of the ring?`,
  unseen: 'Visitors see this circle when its category has a piece and is not hidden.',
  add: 'Add',
  addCategory: 'Add a category',
  tooLong: (most: number) => `At most ${most} characters`,
  noCategory: 'Please choose a category that is not in the ring',
  lastCircle: 'The ring needs at least one category',
}
