/** The Sales screen: a month or a week of it, and its receipts. */
import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { formatMoney } from '#app/features/pricing/money.ts'
import { CordLine, LooseKnot } from '#app/ui/cord-line.tsx'
import { ChevronLeft, ChevronRight } from '#app/ui/icons.tsx'
import { ReceiptCard } from './receipt-card.tsx'
import type { SalesPage } from './sales-page.server.ts'
import css from './sales-screen.module.css'

type Props = { page: SalesPage; timeZone: string; /** what is open over it */ children: ReactNode }

export function SalesScreen({ page, timeZone, children }: Props) {
  const { period, receipts, pages } = page
  return (
    <main className="page" id="main">
      <div className={css.sheet}>
        <h1>Sales</h1>
        <section className={`card stack centered-text gap-below ${css.period}`} aria-label="Period">
          <Stepper what="month" previous={period.previousMonth} next={period.nextMonth}>
            <h2 className={`flush ${css.month}`}>{period.month}</h2>
          </Stepper>
          <Stepper what="week" previous={period.previousWeek} next={period.nextWeek}>
            <p className="strong flush">{period.week}</p>
          </Stepper>
          <p className={`soft flush tabular ${css.range}`} aria-live="polite">
            {period.range}
          </p>
        </section>
        {receipts.length === 0 ? (
          <div className={`centered-text soft ${css.empty}`}>
            <LooseKnot />
            <p className={`large ${css.nothing}`}>No Sales Record</p>
            <p className="soft">What you complete in a conversation shows up here.</p>
          </div>
        ) : (
          <ul className={`bare-list stack ${css.receipts}`}>
            {receipts.map((receipt) => (
              <li key={receipt.key}>
                <ReceiptCard receipt={receipt} search={`${period.here}&receipt=${encodeURIComponent(receipt.key)}`} timeZone={timeZone} />
              </li>
            ))}
          </ul>
        )}
        {(pages.newest || pages.older) && (
          <nav className={`wrap ${css.pages}`} aria-label="Pages of receipts">
            {pages.newest && (
              <Link className="button quiet" to={pages.newest}>
                Newest
              </Link>
            )}
            {pages.older && (
              <Link className="button quiet" to={pages.older}>
                Older
              </Link>
            )}
          </nav>
        )}
        <CordLine className={`wide ${css.cord}`} />
        <p className={`wrap apart flush ${css.total}`}>
          <span>Total</span> <strong className="tabular">{formatMoney(page.total)}</strong>
        </p>
        <p className={`${css.others} soft`}>
          Other years are in the <Link to={href('/manage/reports')}>Reports</Link>.
        </p>
      </div>
      {children}
    </main>
  )
}

type StepperProps = { what: string; previous: string; next: string; children: ReactNode }

function Stepper({ what, previous, next, children }: StepperProps) {
  return (
    <div className={css.stepper}>
      <Link className="icon-button" to={previous} preventScrollReset aria-label={`Previous ${what}`}>
        <ChevronLeft aria-hidden />
      </Link>
      {children}
      <Link className="icon-button" to={next} preventScrollReset aria-label={`Next ${what}`}>
        <ChevronRight aria-hidden />
      </Link>
    </div>
  )
}
