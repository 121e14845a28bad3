import { useMoney } from './use-money.ts'
import { discountedPrice, type Cents, type Discount } from './money.ts'
import css from './price.module.css'
import { priceTexts } from './texts.ts'

export function Price({ cents, discount }: { cents: Cents; discount: Discount | null }) {
  const money = useMoney()
  const reduced = discountedPrice(cents, discount)
  if (reduced === cents) return <span className="tabular-nums">{money(cents)}</span>
  return (
    <span className="tabular-nums">
      <s className="text-soft">
        <span className="sr-only">{priceTexts.original}</span>
        {money(cents)}
      </s>{' '}
      <strong className={css.reduced}>
        <span className="sr-only">{priceTexts.now}</span>
        {money(reduced)}
      </strong>
    </span>
  )
}
