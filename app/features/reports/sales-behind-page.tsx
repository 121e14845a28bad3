/** The sales that a number of a report consists of: each leads to its receipt, and to the conversation as long as there is one. */
import { Link } from 'react-router'
import { formatMoney } from '#app/features/pricing/money.ts'
import { countText } from '#app/ui/amounts.ts'
import { ChevronLeft, MessageCircle } from '#app/ui/icons.tsx'
import type { SalesBehind } from './reports.server.ts'
import css from './sales-behind-page.module.css'

export function SalesBehindPage({ year, when, what, sum, lines, newer, older }: SalesBehind) {
  return (
    <main className="page" id="main">
      <p className={css.back}>
        <Link to={`/manage/reports/?year=${year}`}>
          <ChevronLeft size={18} aria-hidden="true" />
          {`Reports of ${year}`}
        </Link>
      </p>
      <h1 className={css.title}>{what === null ? `Sales in ${when}` : `${what} in ${when}`}</h1>
      <p className="soft tabular">{`${countText(sum.sales, 'piece')}, ${formatMoney(sum.revenue)}`}</p>
      {lines.length === 0 && <p>No Sales Record</p>}
      <ul role="list" className={`bare-list ${css.lines}`}>
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      {(newer ?? older) && (
        <nav className={css.pages} aria-label="Pages of the sales">
          {newer && (
            <Link className="button quiet" to={newer}>
              Newer
            </Link>
          )}
          {older && (
            <Link className="button quiet" to={older}>
              Older
            </Link>
          )}
        </nav>
      )}
    </main>
  )
}

function Line({ line }: { line: SalesBehind['lines'][number] }) {
  return (
    <li className={`row ruled ${css.line}`}>
      <Link className={`same-color undecorated ${css.receipt}`} to={`/manage/sales/?receipt=${encodeURIComponent(line.receipt)}`}>
        <span className={`strong ${css.item}`}>{line.itemName}</span>
        <span className="soft">{` ${line.buyer}, ${line.date}`}</span>
      </Link>
      <span className={`column ${css.price} tabular`}>
        {line.struckCents !== null && (
          <>
            <s className="soft">
              <span className="unseen">Original price: </span>
              {formatMoney(line.struckCents)}
            </s>{' '}
            <span className="unseen">Sold for: </span>
          </>
        )}
        {formatMoney(line.salePriceCents)}
      </span>
      {line.conversation && (
        <Link className="icon-button" to={`/manage/messages/${line.conversation}`} aria-label={`Conversation with ${line.buyer}`}>
          <MessageCircle size={20} aria-hidden="true" />
        </Link>
      )}
    </li>
  )
}
