/** What the card of a requested piece says to both sides. */
export const pieceTexts = {
  request: 'Order request',
  states: { requested: 'Requested', sold: 'Sold', removed: 'No longer in the order' },
  gone: 'This piece is no longer in the shop.',
}
