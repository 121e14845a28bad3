export type Currency = {
  code: string
  symbol: string
  position: 'before' | 'after'
}

export const US_DOLLAR: Currency = { code: 'USD', symbol: '$', position: 'before' }

export const withSymbol = (amount: string, { symbol, position }: Currency) =>
  position === 'after'
    ? `${amount}\u00a0${symbol}`
    : `${symbol}${/\p{L}\.?$/u.test(symbol) ? '\u00a0' : ''}${amount}`

export const withPrintableSymbol = (currency: Currency, printable: (text: string) => string) =>
  printable(currency.symbol) === currency.symbol ? currency : { ...currency, symbol: currency.code }
