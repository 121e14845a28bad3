import { useCurrency } from './currency-context.ts'
import { type Cents, formatMoney } from './money.ts'

export function useMoney() {
  const currency = useCurrency()
  return (cents: Cents) => formatMoney(cents, currency)
}
