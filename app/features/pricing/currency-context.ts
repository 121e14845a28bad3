import { createContext, use } from 'react'
import { type Currency, US_DOLLAR } from '#app/lib/text/currency.ts'

/** root.tsx sets this context to the currency that the owner has chosen. */
export const CurrencyContext = createContext<Currency>(US_DOLLAR)

export const useCurrency = (): Currency => use(CurrencyContext)
