export const MAX_HOLD_DAYS = 365

const ending = (day: string) => (day ? ` until ${day}` : '')

export const holdTexts = {
  until: 'Hold until',
  hold: 'Hold',
  change: 'Change',
  release: 'Release',
  releaseItem: (item: string) => `Release ${item}`,
  onHold: (day: string) => `On hold for this customer${ending(day)}`,
  onHoldForOther: (holder: string, day: string) => `On hold for ${holder}${ending(day)}`,
  sold: 'Sold to someone else',
  held: 'On hold.',
  released: 'Released.',
}

export const holdErrors = {
  badDay: 'Please choose a day.',
  pastDay: 'This day has passed.',
  lateDay: `At most ${MAX_HOLD_DAYS} days from today.`,
  'not-found': 'This piece is no longer requested.',
  'not-unique':
    'Only one-of-a-kind pieces can be on hold. You can set the kind of a piece in Merchandise.',
  'not-for-sale': 'This piece is not for sale.',
  agreed:
    'This piece is part of an accepted offer, so it stays on hold. To release it, cancel the agreement.',
  sold: (item: string) => `${item} has already been sold.`,
  held: (item: string, holder: string, day: string) =>
    `${item} is on hold for ${holder}${ending(day)}.`,
}
