import { createContext, use } from 'react'
import { type Currency, US_DOLLAR } from '#lib/text/currency.ts'

export const CurrencyContext = createContext<Currency>(US_DOLLAR)

export const useCurrency = (): Currency => use(CurrencyContext)
