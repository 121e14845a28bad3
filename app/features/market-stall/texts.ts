/** Only the owner reads these texts. */

export const addSaleTexts = {
  title: 'Add a sale',
  intro: 'For a sale outside a conversation: at a market, or to a friend.',
  back: 'Back to Sales',
  piece: 'Piece',
  pieceHint: 'Choose one of your pieces, or type anything.',
  price: 'Price',
  priceHint: 'Leave it blank for the price in the shop.',
  method: 'Paid by',
  day: 'Day',
  buyer: 'Buyer’s name (optional)',
  send: 'Add the sale',
  sending: 'Adding…',
  added: 'The sale was added.',
}

export const addSaleErrors = {
  noPiece: 'Please choose or type what you sold.',
  longPiece: 'Please use at most 200 characters.',
  noPrice:
    'Please type a price, such as 45.50. You can leave it blank only for one of your pieces.',
  badPrice: 'Please type a price from 0 to 9,999,999.99, such as 45.50.',
  noMethod: 'Please choose how it was paid.',
  badDay: 'Please choose a day, such as 2026-03-04.',
  futureDay: 'This day is in the future.',
  longBuyer: 'Please use at most 120 characters.',
  used: 'This form has already added a sale. If you sold another piece, send the form again.',
  failed: 'The shop could not save the sale. Please try again.',
}

export const marketTexts = {
  title: 'Market stall',
  appName: 'Stall',
  back: 'Sales',
  noScript: {
    before: 'The market stall needs JavaScript. Without it, use ',
    link: 'Add a sale',
    after: '.',
  },
  pieces: 'Pieces',
  search: 'Search pieces',
  noneFound: 'No piece has this name.',
  other: 'Other amount',
  what: 'What (optional)',
  otherName: 'Other',
  price: 'Price',
  method: 'Paid by',
  sold: 'Sold',
  cancel: 'Cancel',
  saved: (name: string, price: string) => `Sold: ${name}, ${price}`,
  notStored: 'This browser could not store the sale. Please write it down.',
  today: 'Today',
  todaySum: (sum: string) => `Today: ${sum}`,
  none: 'No sales yet today.',
  total: 'Total',
  unsent: 'Not sent yet',
  remove: 'Remove',
  removeSale: (name: string) => `Remove the sale of ${name}`,
  confirmRemoval: (name: string) => `Remove the sale of ${name}? It was not sent to the shop.`,
  yes: 'Remove',
  no: 'Keep',
  ready: 'This page works without a connection.',
  unready:
    'This page is not stored on this device. Keep it open, so that it works without a connection.',
  waiting: (count: number) =>
    count === 1 ? '1 sale is not sent yet.' : `${count} sales are not sent yet.`,
  allSent: 'All sales are sent.',
  retry: 'Send now',
  problems: {
    offline: 'No connection. Sales are stored on this device and sent when the connection is back.',
    'logged-out':
      'You are logged out. Your sales are stored on this device and sent when you log in.',
    failed: 'The shop could not save the sales just now. They will be sent again.',
  },
  login: 'Log in',
  refused: 'The shop could not read this sale.',
}
