import { discountedPrice, formatMoney, type Cents, type Discount } from './money.ts'
import css from './price.module.css'

export function Price({ cents, discount }: { cents: Cents; discount: Discount | null }) {
  const reduced = discountedPrice(cents, discount)
  if (reduced === cents) return <span className="tabular">{formatMoney(cents)}</span>
  return (
    <span className="tabular">
      <s className="soft">
        <span className="unseen">Original price: </span>
        {formatMoney(cents)}
      </s>{' '}
      <strong className={css.reduced}>
        <span className="unseen">Now: </span>
        {formatMoney(reduced)}
      </strong>
    </span>
  )
}
