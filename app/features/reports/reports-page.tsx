import { Link } from 'react-router'
import { useMoney } from '#pricing/use-money.ts'
import { formatCount, pluralize } from '#ui/format-count.ts'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { InputField, SelectField } from '#ui/form-fields.tsx'
import { Download } from '#ui/owner-icons.tsx'
import { OpenAmountsCard } from '#payments/open-amounts.tsx'
import { shareText } from './report.ts'
import type { Report, ReportsPage as Page } from './reports.server.ts'
import { YearReports } from './year-reports.tsx'
import { figureTexts, reportsTexts as texts, salesDownloadTexts as downloadTexts } from './texts.ts'
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
        {years.map((option) => (
          <Link
            key={option}
            className="button quiet"
            to={`?year=${option}`}
            aria-current={option === year ? 'page' : undefined}
            preventScrollReset
          >
            {option}
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
  if (report.total.entries === 0 && report.requestTotals.requests === 0) {
    return (
      <div className={css.empty}>
        <LooseKnot />
        <p className={css.nothing}>{texts.empty}</p>
        <p className="text-soft">{texts.emptyHint(year)}</p>
      </div>
    )
  }
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
  const money = useMoney()
  const average = receipts > 0 ? money(Math.round(total.revenue / receipts)) : '–'
  const pieces = pluralize(total.sales, 'piece')
  const figures = [
    [
      figureTexts.revenue,
      money(total.revenue),
      total.shipping > 0
        ? figureTexts.plusShipping(pieces, money(total.shipping))
        : figureTexts.withoutShipping(pieces),
    ],
    [figureTexts.receipts, formatCount(receipts), figureTexts.average(average)],
    [figureTexts.discounts, money(total.discounts), pluralize(total.reduced, 'piece')],
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
          <dd className={`${css.value} tabular-nums`}>{value}</dd>
          <dd className="text-soft">{more}</dd>
        </div>
      ))}
    </dl>
  )
}

function DownloadForm({ year }: { year: number }) {
  return (
    <form
      className={`card ${css.card}`}
      action="/manage/sales.csv"
    >
      <h2>{downloadTexts.title}</h2>
      <p className="text-soft">{downloadTexts.intro}</p>
      <div className={css.fields}>
        <InputField
          label={downloadTexts.firstDay}
          name="from"
          id="report-from"
          type="date"
          defaultValue={`${year}-01-01`}
        />
        <InputField
          label={downloadTexts.lastDay}
          name="to"
          id="report-to"
          type="date"
          defaultValue={`${year}-12-31`}
        />
        <SelectField
          label={downloadTexts.style}
          name="style"
          id="report-style"
        >
          <option value="comma">{downloadTexts.styles.comma}</option>
          <option value="semicolon">{downloadTexts.styles.semicolon}</option>
        </SelectField>
      </div>
      <div className={css.buttons}>
        <button className="button">
          <Download size={18} />
          {downloadTexts.sales}
        </button>
        <button
          className="button quiet"
          formAction="/manage/receipts.csv"
        >
          <Download size={18} />
          {downloadTexts.receipts}
        </button>
      </div>
    </form>
  )
}
