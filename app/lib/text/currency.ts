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
  position === 'after'
    ? `${amount}\u00a0${symbol}`
    : `${symbol}${/\p{L}\.?$/u.test(symbol) ? '\u00a0' : ''}${amount}`

/** Replaces the symbol of a currency by its code if `printable` changes the symbol, because a font lacks it. [S-290] */
export const withPrintableSymbol = (
  currency: Currency,
  printable: (text: string) => string,
): Currency =>
  printable(currency.symbol) === currency.symbol ? currency : { ...currency, symbol: currency.code }
