/** The texts beside a price. */

export const priceTexts = {
  original: 'Original price: ',
  now: 'Now: ',
  off: (discount: string) => `${discount} OFF`,
}
