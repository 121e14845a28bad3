import { Link } from 'react-router'
import { useMoney } from '#pricing/use-money.ts'
import { ChevronLeft, MessageCircle } from '#ui/icons.tsx'
import type { SalesDrilldown } from './reports.server.ts'
import { drilldownTexts as texts } from './texts.ts'
import css from './sales-drilldown-page.module.css'

export function SalesDrilldownPage({ year, when, what, sum, lines, newer, older }: SalesDrilldown) {
  const money = useMoney()
  return (
    <main
      className="page"
      id="main"
    >
      <p className={css.back}>
        <Link to={`/manage/reports/?year=${year}`}>
          <ChevronLeft size={18} />
          {texts.back(year)}
        </Link>
      </p>
      <h1>{texts.title(what, when)}</h1>
      <p className="text-soft tabular-nums">{texts.sum(sum.sales, money(sum.revenue))}</p>
      {lines.length === 0 && <p>{texts.empty}</p>}
      <ul
        role="list"
        className={`list-none ${css.lines}`}
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
  const money = useMoney()
  return (
    <li className={`flex items-center gap-3 border-b ${css.line}`}>
      <Link
        className={`text-inherit no-underline ${css.receipt}`}
        to={`/manage/sales/?receipt=${encodeURIComponent(line.receipt)}`}
      >
        <span className={`font-semibold ${css.item}`}>{line.itemName}</span>
        <span className="text-soft">{` ${line.buyer}, ${line.date}${line.isCancellation ? texts.cancellation : ''}`}</span>
      </Link>
      <span className={`flex flex-col ${css.price} tabular-nums`}>
        {line.struckCents !== null && (
          <>
            <s className="text-soft">
              <span className="sr-only">{texts.originalPrice}</span>
              {money(line.struckCents)}
            </s>{' '}
            <span className="sr-only">{texts.soldFor}</span>
          </>
        )}
        {money(line.salePriceCents)}
      </span>
      {line.conversation && (
        <Link
          className="icon-button"
          to={`/manage/messages/${line.conversation}`}
          aria-label={texts.conversation(line.buyer)}
        >
          <MessageCircle size={20} />
        </Link>
      )}
    </li>
  )
}
