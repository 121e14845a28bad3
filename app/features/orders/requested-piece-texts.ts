/** The texts on the card of a requested item, for both sides of the conversation. */
export const pieceTexts = {
  request: 'Order request',
  states: { requested: 'Requested', sold: 'Sold', removed: 'No longer in the order' },
  gone: 'This piece is no longer in the shop.',
}
