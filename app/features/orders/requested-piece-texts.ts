/** The customer and the owner see these texts on the card of a requested item. */
export const pieceTexts = {
  request: 'Order request',
  states: {
    requested: 'Requested',
    agreed: 'In an accepted offer',
    sold: 'Sold',
    removed: 'No longer in the order',
  },
  gone: 'This piece is no longer in the shop.',
}
