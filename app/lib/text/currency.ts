/** A currency defines how amounts of money are written: '$12.50', 'CHF 12.50' or '12.50 €'. */
export type Currency = {
  /** the ISO 4217 code, such as 'USD' */
  code: string
  symbol: string
  position: 'before' | 'after'
}

export const US_DOLLAR: Currency = { code: 'USD', symbol: '$', position: 'before' }

/** Returns an amount with its currency: '$5', 'CHF 5' or '5 €'. */
export const withSymbol = (amount: string, { symbol, position }: Currency): string =>
  position === 'after' ? `${amount}\u00a0${symbol}` : `${symbol}${/\p{L}\.?$/u.test(symbol) ? '\u00a0' : ''}${amount}`
