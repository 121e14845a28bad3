import { useCurrency } from './currency-context.ts'
import { discountedPrice, formatMoney, type Cents, type Discount } from './money.ts'
import css from './price.module.css'
import { priceTexts } from './texts.ts'

export function Price({ cents, discount }: { cents: Cents; discount: Discount | null }) {
  const currency = useCurrency()
  const reduced = discountedPrice(cents, discount)
  if (reduced === cents) return <span className="tabular">{formatMoney(cents, currency)}</span>
  return (
    <span className="tabular">
      <s className="soft">
        <span className="visually-hidden">{priceTexts.original}</span>
        {formatMoney(cents, currency)}
      </s>{' '}
      <strong className={css.reduced}>
        <span className="visually-hidden">{priceTexts.now}</span>
        {formatMoney(reduced, currency)}
      </strong>
    </span>
  )
}
