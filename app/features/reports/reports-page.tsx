import { Link } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { pluralize } from '#app/ui/format-count.ts'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { Download } from '#app/ui/icons.tsx'
import { OpenAmountsCard } from '#app/features/payments/open-amounts.tsx'
import { shareText, type Report, type ReportsPage as Page } from './report.ts'
import { YearReports } from './year-reports.tsx'
import { figureTexts, reportsTexts as texts, salesDownloadTexts } from './texts.ts'
import css from './reports.module.css'

export function ReportsPage({ year, years, report, openAmounts }: Page) {
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <nav
        className={css.years}
        aria-label={texts.year}
      >
        {years.map((one) => (
          <Link
            key={one}
            className="button quiet"
            to={`?year=${one}`}
            aria-current={one === year ? 'page' : undefined}
            preventScrollReset
          >
            {one}
          </Link>
        ))}
      </nav>
      {report ? (
        <YearNavigation
          year={year}
          report={report}
        />
      ) : (
        <p className="error">{texts.unreadable}</p>
      )}
      {openAmounts && <OpenAmountsCard {...openAmounts} />}
      <DownloadForm
        key={year}
        year={year}
      />
    </main>
  )
}

function YearNavigation({ year, report }: { year: number; report: Report }) {
  if (report.total.entries === 0 && report.requestTotals.requests === 0)
    return (
      <div className={css.empty}>
        <LooseKnot />
        <p className={css.nothing}>{texts.empty}</p>
        <p className="soft">{texts.emptyHint(year)}</p>
      </div>
    )
  return (
    <>
      <Figures report={report} />
      <YearReports
        year={year}
        report={report}
      />
    </>
  )
}

function Figures({ report: { total, receipts, requestTotals } }: { report: Report }) {
  const { sold, requests } = requestTotals
  const currency = useCurrency()
  const average = receipts > 0 ? formatMoney(Math.round(total.revenue / receipts), currency) : '–'
  const figures = [
    [
      figureTexts.revenue,
      formatMoney(total.revenue, currency),
      figureTexts.withoutShipping(pluralize(total.sales, 'piece')),
    ],
    [figureTexts.receipts, receipts.toLocaleString('en-US'), figureTexts.average(average)],
    [
      figureTexts.discounts,
      formatMoney(total.discounts, currency),
      pluralize(total.reduced, 'piece'),
    ],
    [figureTexts.requests, shareText(sold, requests) ?? '–', figureTexts.soldOf(sold, requests)],
  ] as const
  return (
    <dl className={css.figures}>
      {figures.map(([name, value, more]) => (
        <div
          key={name}
          className={`card ${css.figure}`}
        >
          <dt>{name}</dt>
          <dd className={`${css.value} tabular`}>{value}</dd>
          <dd className="soft">{more}</dd>
        </div>
      ))}
    </dl>
  )
}

/** This is a native form. The browser therefore saves the HTTP response as a file and stays on the page. */
function DownloadForm({ year }: { year: number }) {
  return (
    <form
      className={`card ${css.card}`}
      action="/manage/sales.csv"
    >
      <h2>{salesDownloadTexts.title}</h2>
      <p className="soft">{salesDownloadTexts.intro}</p>
      <div className={css.fields}>
        <div className="field">
          <label htmlFor="report-from">{salesDownloadTexts.firstDay}</label>
          <input
            className="input"
            id="report-from"
            type="date"
            name="from"
            defaultValue={`${year}-01-01`}
          />
        </div>
        <div className="field">
          <label htmlFor="report-to">{salesDownloadTexts.lastDay}</label>
          <input
            className="input"
            id="report-to"
            type="date"
            name="to"
            defaultValue={`${year}-12-31`}
          />
        </div>
        <div className="field">
          <label htmlFor="report-style">{salesDownloadTexts.style}</label>
          <select
            className="input"
            id="report-style"
            name="style"
          >
            <option value="comma">{salesDownloadTexts.styles.comma}</option>
            <option value="semicolon">{salesDownloadTexts.styles.semicolon}</option>
          </select>
        </div>
      </div>
      <div className={css.buttons}>
        <button className="button">
          <Download size={18} />
          {salesDownloadTexts.sales}
        </button>
        <button
          className="button quiet"
          formAction="/manage/receipts.csv"
        >
          <Download size={18} />
          {salesDownloadTexts.receipts}
        </button>
      </div>
    </form>
  )
}
