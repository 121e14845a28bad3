import { useMoney } from '#pricing/use-money.ts'
import type { Credit } from './credit.ts'
import { creditTexts as texts } from './texts.ts'
import css from './own-credit.module.css'

export function OwnCredit({ credit: { code, cents, state } }: { credit: Credit }) {
  const money = useMoney()
  return (
    <dl
      className={`card ${css.credit}`}
      data-used={state === 'used' || undefined}
    >
      <div>
        <dt className="text-sm text-soft">{texts.code}</dt>
        <dd className={`tabular-nums font-semibold whitespace-nowrap ${css.code}`}>{code}</dd>
      </div>
      <div>
        <dt className="text-sm text-soft">{texts.amount}</dt>
        <dd className="tabular-nums font-semibold">{money(cents)}</dd>
      </div>
      <div>
        <dt className="sr-only">{texts.state}</dt>
        <dd className="text-sm">{texts.states[state]}</dd>
      </div>
    </dl>
  )
}
