import { Link } from 'react-router'
import { useMoney } from '#pricing/use-money.ts'
import { pluralize } from '#ui/format-count.ts'
import type { OpenAmounts } from './payments.server.ts'
import { openAmountTexts as texts } from './owner-texts.ts'
import css from './open-amounts.module.css'

export function OpenAmountsCard({ count, cents, lines }: OpenAmounts) {
  const money = useMoney()
  return (
    <section
      className={`card ${css.card}`}
      id="open-amounts"
    >
      <h2>{texts.title}</h2>
      <p className="text-soft">{texts.says(pluralize(count, texts.offer), money(cents))}</p>
      <ul
        role="list"
        className="list-none"
      >
        {lines.map(({ orderId, customer, reference, cents }) => (
          <li
            key={reference}
            className={css.line}
          >
            <Link
              className={`tap font-semibold ${css.name}`}
              to={`/manage/messages/${orderId}`}
            >
              {customer}
            </Link>
            <span className={`text-soft ${css.reference}`}>{reference}</span>
            <span className={`tabular-nums ${css.amount}`}>{money(cents)}</span>
          </li>
        ))}
        {count > lines.length && <li className="text-soft">{texts.more(count - lines.length)}</li>}
      </ul>
    </section>
  )
}
