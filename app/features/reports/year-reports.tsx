import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney, type Cents } from '#app/features/pricing/money.ts'
import { pluralize } from '#app/ui/format-count.ts'
import { ChevronDown } from '#app/ui/icons.tsx'
import { MonthBars, RankingBars } from './report-charts.tsx'
import {
  MAX_BARS,
  KINDS,
  reportMonthName,
  drilldownUrl,
  shareText,
  type Kind,
  type Report,
} from './report.ts'
import { othersText, rankingTexts, reportTexts as texts } from './texts.ts'
import css from './reports.module.css'

type Props = { year: number; report: Report }

export const YearReports = ({ year, report }: Props) => (
  <div className={css.cards}>
    <MonthReport
      year={year}
      report={report}
    />
    {KINDS.map((kind) => (
      <KindReport
        key={kind}
        year={year}
        kind={kind}
        report={report}
      />
    ))}
    <DiscountReport
      year={year}
      report={report}
    />
    <RequestReport
      year={year}
      report={report}
    />
  </div>
)

const useMoney = () => {
  const currency = useCurrency()
  return (cents: Cents) => formatMoney(cents, currency)
}
const formatCount = (count: number) => count.toLocaleString('en-US')

/** Returns the URL of the page with the sales of a month, or null if the month has no sales. */
const monthDrilldownUrl = (year: number, month: number, entries: number) =>
  entries > 0 ? drilldownUrl(year, { month }) : null

function MonthReport({ year, report: { months, before, total } }: Props) {
  const money = useMoney()
  const best = months.reduce((one, other) => (other.revenue > one.revenue ? other : one))
  const cells = (sales: number, revenue: Cents, earlier: Cents = 0) => [
    formatCount(sales),
    money(revenue),
    ...(before ? [money(earlier)] : []),
  ]
  const allBefore = before?.reduce((sum, cents) => sum + cents, 0)
  return (
    <ReportCard
      title={texts.byMonth}
      says={
        best.revenue > 0
          ? texts.bestMonth(reportMonthName(best.month), money(best.revenue))
          : texts.nothingSold
      }
      chart={
        total.entries > 0 && (
          <MonthBars
            filled={months.map(({ revenue }) => revenue)}
            outlined={before}
            isMoney
            color="accent"
          />
        )
      }
      legend={
        before && (
          <Legend
            full={String(year)}
            outlined={String(year - 1)}
            color="accent"
          />
        )
      }
      year={year}
      head={[
        texts.month,
        texts.pieces,
        ...(before ? [String(year), String(year - 1)] : [texts.revenue]),
      ]}
      rows={months.map(({ month, entries, sales, revenue }, at) => ({
        name: reportMonthName(month),
        to: monthDrilldownUrl(year, month, entries),
        cells: cells(sales, revenue, before?.[at]),
      }))}
      total={cells(total.sales, total.revenue, allBefore)}
    />
  )
}

function KindReport({ year, kind, report: { rankings, total } }: Props & { kind: Kind }) {
  const money = useMoney()
  const { title, head, one, many, best: says } = rankingTexts[kind]
  const { rows, others } = rankings[kind]
  const [best] = rows
  const tail = rows.slice(MAX_BARS)
  const notShown = {
    count: others.count + tail.length,
    revenue: tail.reduce((sum, row) => sum + row.revenue, others.revenue),
  }
  const cells = ({ sales, revenue }: { sales: number; revenue: Cents }) => [
    formatCount(sales),
    money(revenue),
  ]
  const rest = { name: pluralize(others.count, one, many), to: null, cells: cells(others) }
  return (
    <ReportCard
      title={title}
      says={best && best.revenue > 0 ? says(best.name, money(best.revenue)) : texts.nothingSold}
      chart={best && <RankingBars rows={rows} />}
      legend={
        notShown.count > 0 && (
          <p className="soft">
            {othersText(pluralize(notShown.count, one, many), money(notShown.revenue))}
          </p>
        )
      }
      year={year}
      head={[head, texts.pieces, texts.revenue]}
      rows={[
        ...rows.map((row) => ({
          name: row.name,
          to: drilldownUrl(year, { [kind]: row.key }),
          cells: cells(row),
        })),
        ...(others.count > 0 ? [rest] : []),
      ]}
      total={cells(total)}
    />
  )
}

function DiscountReport({ year, report: { months, total } }: Props) {
  const money = useMoney()
  return (
    <ReportCard
      title={texts.discountsGiven}
      says={
        total.entries === 0
          ? texts.nothingSold
          : total.reduced > 0
            ? texts.reduced(total.reduced, money(total.discounts))
            : texts.fullPrice
      }
      chart={
        total.discounts > 0 && (
          <MonthBars
            filled={months.map(({ discounts }) => discounts)}
            isMoney
            color="honey"
          />
        )
      }
      year={year}
      head={[texts.month, texts.pieces, texts.discounts]}
      rows={months.map(({ month, entries, reduced, discounts }) => ({
        name: reportMonthName(month),
        to: monthDrilldownUrl(year, month, entries),
        cells: [formatCount(reduced), money(discounts)],
      }))}
      total={[formatCount(total.reduced), money(total.discounts)]}
    />
  )
}

function RequestReport({ year, report: { requests, requestTotals, orderRequestsSince } }: Props) {
  const total = requestTotals.requests
  const found = texts.soldRequests(requestTotals.sold, total, shareText(requestTotals.sold, total))
  const since = texts.since(orderRequestsSince)
  const all = requests.map((month) => month.requests)
  const sold = requests.map((month) => month.sold)
  const cells = (row: { requests: number; sold: number }) => [
    formatCount(row.requests),
    formatCount(row.sold),
    shareText(row.sold, row.requests) ?? '–',
  ]
  return (
    <ReportCard
      title={texts.requestsSold}
      says={total > 0 ? found : texts.noRequests(year, since)}
      chart={
        total > 0 && (
          <MonthBars
            filled={sold}
            outlined={all}
            isPart
            color="second"
          />
        )
      }
      legend={
        <Legend
          full={texts.becameSales}
          outlined={texts.requests}
          color="second"
        />
      }
      year={year}
      head={[texts.month, texts.requests, texts.sales, texts.share]}
      rows={requests.map((row) => ({
        name: reportMonthName(row.month),
        to: null,
        cells: cells(row),
      }))}
      total={cells(requestTotals)}
      note={texts.requestsNote(since)}
    />
  )
}

const Legend = ({
  full,
  outlined,
  color,
}: {
  full: string
  outlined: string
  color: 'accent' | 'second'
}) => (
  <p className={css.legend}>
    <span className={`${css.key} ${css[color]}`}>{full}</span>
    <span className={css.key}>{outlined}</span>
  </p>
)

type CardProps = {
  title: string
  year: number
  /** one sentence that summarizes the chart */
  says: string
  /** the chart, or null if there is no data for a chart */
  chart: ReactNode
  legend?: ReactNode
  head: string[]
  /** `to` is the URL of the page with the sales of a row, or null if there is no such page. */
  rows: { name: string; to: string | null; cells: string[] }[]
  total: string[]
  note?: string
}

function ReportCard({
  title,
  year,
  says,
  chart,
  legend,
  head: [first, ...others],
  rows,
  total,
  note,
}: CardProps) {
  const numbers = (cells: string[]) =>
    cells.map((cell, at) => (
      <td
        key={at}
        className={`${css.number} tabular`}
      >
        {cell}
      </td>
    ))
  return (
    <section className={`card ${css.card}`}>
      <h2>{title}</h2>
      <p className="soft">{says}</p>
      {chart && (
        <>
          <div className={css.chart}>{chart}</div>
          {legend}
          <details className={css.details}>
            <summary>
              <span>
                {texts.table.title}
                <span className="visually-hidden">{texts.table.of(title)}</span>
              </span>
              <ChevronDown size={18} />
            </summary>
            <table className={css.table}>
              <caption className="visually-hidden">{texts.caption(title, year)}</caption>
              <thead>
                <tr>
                  <th scope="col">{first}</th>
                  {others.map((name) => (
                    <th
                      key={name}
                      scope="col"
                      className={css.number}
                    >
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, to, cells }, at) => (
                  <tr key={at}>
                    <th scope="row">{to ? <Link to={to}>{name}</Link> : name}</th>
                    {numbers(cells)}
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">{texts.total}</th>
                  {numbers(total)}
                </tr>
              </tfoot>
            </table>
            {note && <p className="soft">{note}</p>}
          </details>
        </>
      )}
    </section>
  )
}
