/** A year of the shop in numbers (S-105): what came in, by whom and with what, and all of it as CSV. */
import { Link } from 'react-router'
import { formatMoney } from '#app/features/money/money.ts'
import { countText } from '#app/ui/amounts.ts'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { DownloadForm } from './download-form.tsx'
import { KINDS, shareText, type Report, type ReportsPage as Page } from './report.ts'
import css from './reports-page.module.css'
import { DiscountReport, KindReport, MonthReport, RequestReport } from './year-reports.tsx'

export function ReportsPage({ year, years, report }: Page) {
  return (
    <main className="page" id="main">
      <h1>Reports</h1>
      <nav className={css.years} aria-label="Year">
        {years.map((one) => (
          <Link key={one} className="button quiet" to={`?year=${one}`} aria-current={one === year ? 'page' : undefined} preventScrollReset>
            {one}
          </Link>
        ))}
      </nav>
      {report ? <Year year={year} report={report} /> : <p className="error">The reports could not be read just now. Try again later.</p>}
      <DownloadForm key={year} year={year} />
    </main>
  )
}

function Year({ year, report }: { year: number; report: Report }) {
  if (report.whole.sales === 0 && report.asked.requests === 0)
    return (
      <div className={css.empty}>
        <LooseKnot />
        <p className={css.nothing}>No Sales Record</p>
        <p className="soft">{`What you sell in ${year} shows up here.`}</p>
      </div>
    )
  return (
    <>
      <Figures report={report} />
      <div className={css.cards}>
        <MonthReport year={year} report={report} />
        {KINDS.map((kind) => (
          <KindReport key={kind} year={year} kind={kind} report={report} />
        ))}
        <DiscountReport year={year} report={report} />
        <RequestReport year={year} report={report} />
      </div>
    </>
  )
}

/** What she looks for first. */
function Figures({ report: { whole, receipts, asked } }: { report: Report }) {
  const average = receipts > 0 ? formatMoney(Math.round(whole.revenue / receipts)) : '–'
  const figures = [
    ['Revenue', formatMoney(whole.revenue), countText(whole.sales, 'piece')],
    ['Receipts', receipts.toLocaleString('en-US'), `${average} on average`],
    ['Discounts given', formatMoney(whole.discounts), countText(whole.reduced, 'piece')],
    ['Requests that became sales', shareText(asked.sold, asked.requests) ?? '–', `${asked.sold} of ${asked.requests}`],
  ] as const
  return (
    <dl className={css.figures}>
      {figures.map(([name, value, more]) => (
        <div key={name} className={`card ${css.figure}`}>
          <dt>{name}</dt>
          <dd className={`${css.value} tabular`}>{value}</dd>
          <dd className="soft">{more}</dd>
        </div>
      ))}
    </dl>
  )
}
