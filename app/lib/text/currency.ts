/** How amounts of money are written: '$12.50', 'CHF 12.50' or '12.50 €'. */
export type Currency = {
  /** ISO 4217, such as 'USD' */
  code: string
  symbol: string
  position: 'before' | 'after'
}

export const US_DOLLAR: Currency = { code: 'USD', symbol: '$', position: 'before' }

/** "$5", "CHF 5" or "5 €" */
export const withSymbol = (amount: string, { symbol, position }: Currency): string =>
  position === 'after' ? `${amount}\u00a0${symbol}` : `${symbol}${/\p{L}\.?$/u.test(symbol) ? '\u00a0' : ''}${amount}`
