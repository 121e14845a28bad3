/** What prices say. */

export const priceTexts = {
  original: 'Original price: ',
  now: 'Now: ',
  off: (discount: string) => `${discount} OFF`,
}
