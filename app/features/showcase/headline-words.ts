/** Home's headline: the fixed part and the sixteen words that end it (HOME-05 to HOME-07, S-021). */

export const HEADLINE = 'Knotted by hand, with love:'

export const suffixWords = [
  'wall hangings',
  'plant hangers',
  'key chains',
  'coasters',
  'market bags',
  'garlands',
  'dream catchers',
  'earrings',
  'table runners',
  'lampshades',
  'tassels',
  'curtains',
  'bookmarks',
  'cushions',
  'hammocks',
  'tiny presents',
] as const

/** milliseconds for which a word stands */
export const WORD_TIME = 5000
