/** The Sales screen: a month or a week of it, its receipts, and the overlay that prints one. */
import { href, Link } from 'react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatMoney } from '#app/features/money/money.ts'
import { PrintOverlay } from '#app/features/papers/print-overlay.tsx'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { CordLine, LooseKnot } from '#app/ui/cord-line.tsx'
import { ReceiptCard } from './receipt-card.tsx'
import type { SalesPage } from './sales-page.server.ts'
import css from './sales-screen.module.css'

export function SalesScreen({ page, settings, timeZone }: { page: SalesPage; settings: ShopSettings; timeZone: string }) {
  const { period, receipts, pages, open } = page
  return (
    <main className="page" id="main">
      <div className={css.sheet}>
        <h1>Sales</h1>
        <section className={css.period} aria-label="Period">
          <Stepper what="month" previous={period.previousMonth} next={period.nextMonth}>
            <h2 className={css.month}>{period.month}</h2>
          </Stepper>
          <Stepper what="week" previous={period.previousWeek} next={period.nextWeek}>
            <p className={css.week}>{period.week}</p>
          </Stepper>
          <p className={css.range} aria-live="polite">
            {period.range}
          </p>
        </section>
        {receipts.length === 0 ? (
          <div className={css.empty}>
            <LooseKnot />
            <p className={css.nothing}>No Sales Record</p>
            <p className="soft">What you complete in a conversation shows up here.</p>
          </div>
        ) : (
          <ul className={css.receipts}>
            {receipts.map((receipt) => (
              <li key={receipt.key}>
                <ReceiptCard receipt={receipt} search={`${period.here}&receipt=${encodeURIComponent(receipt.key)}`} timeZone={timeZone} />
              </li>
            ))}
          </ul>
        )}
        {(pages.newest || pages.older) && (
          <nav className={css.pages} aria-label="Pages of receipts">
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
        <CordLine className={css.cord} />
        <p className={css.total}>
          <span>Total</span> <strong className="tabular">{formatMoney(page.total)}</strong>
        </p>
        <p className={`${css.others} soft`}>
          Other years are in the <Link to={href('/manage/reports')}>Reports</Link>.
        </p>
      </div>
      {open && <PrintOverlay key={open.receipt.key} open={open} closedSearch={period.here} settings={settings} />}
    </main>
  )
}

type StepperProps = { what: string; previous: string; next: string; children: React.ReactNode }

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
