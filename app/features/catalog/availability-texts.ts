/** The server writes these texts about one-of-a-kind items into the data of a page, so that no browser has to load them. */
export const availabilityTexts = {
  onHold: (day: string) => (day ? `On hold until ${day}` : 'On hold'),
  onHoldForYou: (day: string) => (day ? `On hold for you until ${day}` : 'On hold for you'),
  oneOfAKind: 'One of a kind',
  canStillAsk:
    'One of a kind. You can still ask for it: if the hold ends, the maker can offer it to you.',
  sold: 'Sold',
  soldCard: 'Sold · ask for one like it',
}
