import { Link } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { pluralize } from '#app/ui/format-count.ts'
import type { OpenAmounts } from './payment.ts'
import { openAmountTexts as texts } from './owner-texts.ts'
import css from './open-amounts.module.css'

/** Lists the accepted offers that are not fully paid. [AGREE-47] */
export function OpenAmountsCard({ count, cents, lines }: OpenAmounts) {
  const currency = useCurrency()
  return (
    <section
      className={`card ${css.card}`}
      id="open-amounts"
    >
      <h2>{texts.title}</h2>
      <p className="soft">
        {texts.says(pluralize(count, texts.offer), formatMoney(cents, currency))}
      </p>
      <ul
        role="list"
        className="bare-list"
      >
        {lines.map(({ orderId, customer, reference, cents }) => (
          <li
            key={reference}
            className={css.line}
          >
            <Link
              className={`tap strong ${css.name}`}
              to={`/manage/messages/${orderId}`}
            >
              {customer}
            </Link>
            <span className={`soft ${css.reference}`}>{reference}</span>
            <span className={`tabular ${css.amount}`}>{formatMoney(cents, currency)}</span>
          </li>
        ))}
        {count > lines.length && <li className="soft">{texts.more(count - lines.length)}</li>}
      </ul>
    </section>
  )
}
