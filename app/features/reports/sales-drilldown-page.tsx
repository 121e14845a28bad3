import { Link } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { ChevronLeft, MessageCircle } from '#app/ui/icons.tsx'
import type { SalesDrilldown } from './reports.server.ts'
import { drilldownTexts as texts } from './texts.ts'
import css from './sales-drilldown-page.module.css'

export function SalesDrilldownPage({ year, when, what, sum, lines, newer, older }: SalesDrilldown) {
  const currency = useCurrency()
  return (
    <main
      className="page"
      id="main"
    >
      <p className={css.back}>
        <Link to={`/manage/reports/?year=${year}`}>
          <ChevronLeft
            size={18}
            aria-hidden="true"
          />
          {texts.back(year)}
        </Link>
      </p>
      <h1>{texts.title(what, when)}</h1>
      <p className="soft tabular">{texts.sum(sum.sales, formatMoney(sum.revenue, currency))}</p>
      {lines.length === 0 && <p>{texts.empty}</p>}
      <ul
        role="list"
        className={`bare-list ${css.lines}`}
      >
        {lines.map((line) => (
          <SaleRow
            key={line.id}
            line={line}
          />
        ))}
      </ul>
      {(newer ?? older) && (
        <nav
          className={css.pages}
          aria-label={texts.pages}
        >
          {newer && (
            <Link
              className="button quiet"
              to={newer}
            >
              {texts.newer}
            </Link>
          )}
          {older && (
            <Link
              className="button quiet"
              to={older}
            >
              {texts.older}
            </Link>
          )}
        </nav>
      )}
    </main>
  )
}

function SaleRow({ line }: { line: SalesDrilldown['lines'][number] }) {
  const currency = useCurrency()
  return (
    <li className={`row ruled ${css.line}`}>
      <Link
        className={`same-color undecorated ${css.receipt}`}
        to={`/manage/sales/?receipt=${encodeURIComponent(line.receipt)}`}
      >
        <span className={`strong ${css.item}`}>{line.itemName}</span>
        <span className="soft">{` ${line.buyer}, ${line.date}${line.isCancellation ? texts.cancellation : ''}`}</span>
      </Link>
      <span className={`column ${css.price} tabular`}>
        {line.struckCents !== null && (
          <>
            <s className="soft">
              <span className="visually-hidden">{texts.originalPrice}</span>
              {formatMoney(line.struckCents, currency)}
            </s>{' '}
            <span className="visually-hidden">{texts.soldFor}</span>
          </>
        )}
        {formatMoney(line.salePriceCents, currency)}
      </span>
      {line.conversation && (
        <Link
          className="icon-button"
          to={`/manage/messages/${line.conversation}`}
          aria-label={texts.conversation(line.buyer)}
        >
          <MessageCircle
            size={20}
            aria-hidden="true"
          />
        </Link>
      )}
    </li>
  )
}
