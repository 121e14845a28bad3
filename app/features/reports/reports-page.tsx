/** A year of the shop in numbers (S-105): what came in, by whom and with what, and all of it as CSV. */
import { Link } from 'react-router'
import { formatMoney } from '#app/features/pricing/money.ts'
import { countText } from '#app/ui/amounts.ts'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { Download } from '#app/ui/icons.tsx'
import { shareText, type Report, type ReportsPage as Page } from './report.ts'
import { YearReports } from './year-reports.tsx'
import css from './reports.module.css'

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
      <YearReports year={year} report={report} />
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

/** Sales or receipts of any days as a file for a spreadsheet; a plain form, since the browser saves what comes back and stays where it is. */
function DownloadForm({ year }: { year: number }) {
  return (
    <form className={`card ${css.card}`} action="/manage/sales.csv">
      <h2>Download</h2>
      <p className="soft">As a table for your spreadsheet or your tax adviser. Without a day, everything is in it.</p>
      <div className={css.fields}>
        <div className="field">
          <label htmlFor="report-from">First day</label>
          <input className="input" id="report-from" type="date" name="from" defaultValue={`${year}-01-01`} />
        </div>
        <div className="field">
          <label htmlFor="report-to">Last day</label>
          <input className="input" id="report-to" type="date" name="to" defaultValue={`${year}-12-31`} />
        </div>
        <div className="field">
          <label htmlFor="report-style">Written with</label>
          <select className="input" id="report-style" name="style">
            <option value="comma">Commas, 12.50</option>
            <option value="semicolon">Semicolons, 12,50</option>
          </select>
        </div>
      </div>
      <div className={css.buttons}>
        <button className="button">
          <Download size={18} />
          Download sales
        </button>
        <button className="button quiet" formAction="/manage/receipts.csv">
          <Download size={18} />
          Download receipts
        </button>
      </div>
    </form>
  )
}
