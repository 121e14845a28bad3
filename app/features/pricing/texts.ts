export const priceTexts = {
  original: 'Original price: ',
  now: 'Now: ',
  invalid: 'Enter a price such as 12.50',
  off: (discount: string) => `${discount} OFF`,
}
