import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import type { Credit } from './credit.ts'
import { creditTexts as texts } from './texts.ts'
import css from './own-credit.module.css'

/** Shows the customer her credit, on the page of her testimony ticket and on her account page. [AGREE-63] */
export function OwnCredit({ credit: { code, cents, state } }: { credit: Credit }) {
  const currency = useCurrency()
  return (
    <dl
      className={`card ${css.credit}`}
      data-used={state === 'used' || undefined}
    >
      <div>
        <dt className="small soft">{texts.code}</dt>
        <dd className={`tabular strong unbroken ${css.code}`}>{code}</dd>
      </div>
      <div>
        <dt className="small soft">{texts.amount}</dt>
        <dd className="tabular strong">{formatMoney(cents, currency)}</dd>
      </div>
      <div>
        <dt className="visually-hidden">{texts.state}</dt>
        <dd className="small">{texts.states[state]}</dd>
      </div>
    </dl>
  )
}
