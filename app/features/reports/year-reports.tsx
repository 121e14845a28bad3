import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Cents } from '#pricing/money.ts'
import { useMoney } from '#pricing/use-money.ts'
import { formatCount, pluralize } from '#ui/format-count.ts'
import { ChevronDown } from '#ui/icons.tsx'
import { MonthBars, RankingBars } from './report-charts.tsx'
import { MAX_BARS, KINDS, reportMonthName, drilldownUrl, shareText, type Kind } from './report.ts'
import type { Report } from './reports.server.ts'
import { othersText, rankingTexts, reportTexts as texts } from './texts.ts'
import css from './reports.module.css'

type YearReportsProps = { year: number; report: Report }

export const YearReports = ({ year, report }: YearReportsProps) => (
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

const monthDrilldownUrl = (year: number, month: number, entries: number) =>
  entries > 0 ? drilldownUrl(year, { month }) : null

type MonthSum = Pick<Report['total'], 'sales' | 'revenue' | 'shipping'>

function MonthReport({ year, report: { months, before, total } }: YearReportsProps) {
  const money = useMoney()
  const best = months.toSorted((left, right) => right.revenue - left.revenue)[0]!
  const hasShipping = total.shipping > 0
  const cells = ({ sales, revenue, shipping }: MonthSum, earlier: Cents = 0) => [
    formatCount(sales),
    <>
      {money(revenue)}
      {shipping > 0 && (
        <span className={css.shipping}>
          <span className="sr-only">{texts.shipping}</span>
          {texts.plus(money(shipping))}
        </span>
      )}
    </>,
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
        <>
          {before ? year : texts.revenue}
          {hasShipping && <span className={css.shipping}>{texts.plusShipping}</span>}
        </>,
        ...(before ? [String(year - 1)] : []),
      ]}
      rows={months.map((sum, index) => ({
        name: reportMonthName(sum.month),
        to: monthDrilldownUrl(year, sum.month, sum.entries),
        cells: cells(sum, before?.[index]),
      }))}
      total={cells(total, allBefore)}
      note={hasShipping ? texts.shippingNote : undefined}
    />
  )
}

function KindReport({
  year,
  kind,
  report: { rankings, total },
}: YearReportsProps & { kind: Kind }) {
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
          <p className="text-soft">
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

function DiscountReport({ year, report: { months, total } }: YearReportsProps) {
  const money = useMoney()
  const soldText =
    total.reduced > 0 ? texts.reduced(total.reduced, money(total.discounts)) : texts.fullPrice
  return (
    <ReportCard
      title={texts.discountsGiven}
      says={total.entries === 0 ? texts.nothingSold : soldText}
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

function RequestReport({
  year,
  report: { requests, requestTotals, orderRequestsSince },
}: YearReportsProps) {
  const { requests: total, sold } = requestTotals
  const since = texts.since(orderRequestsSince)
  const cells = (row: { requests: number; sold: number }) => [
    formatCount(row.requests),
    formatCount(row.sold),
    shareText(row.sold, row.requests) ?? '–',
  ]
  return (
    <ReportCard
      title={texts.requestsSold}
      says={
        total > 0
          ? texts.soldRequests(sold, total, shareText(sold, total))
          : texts.noRequests(year, since)
      }
      chart={
        total > 0 && (
          <MonthBars
            filled={requests.map((month) => month.sold)}
            outlined={requests.map((month) => month.requests)}
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

type LegendProps = { full: string; outlined: string; color: 'accent' | 'second' }

const Legend = ({ full, outlined, color }: LegendProps) => (
  <p className={css.legend}>
    <span className={`${css.key} ${css[color]}`}>{full}</span>
    <span className={css.key}>{outlined}</span>
  </p>
)

type ReportCardProps = {
  title: string
  year: number
  says: string
  chart: ReactNode
  legend?: ReactNode
  head: ReactNode[]
  rows: { name: string; to: string | null; cells: ReactNode[] }[]
  total: ReactNode[]
  note?: string | undefined
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
}: ReportCardProps) {
  const numbers = (cells: ReactNode[]) =>
    cells.map((cell, index) => (
      <td
        key={index}
        className={`${css.number} tabular-nums`}
      >
        {cell}
      </td>
    ))
  return (
    <section className={`card ${css.card}`}>
      <h2>{title}</h2>
      <p className="text-soft">{says}</p>
      {chart && (
        <>
          <div className={css.chart}>{chart}</div>
          {legend}
          <details className={css.details}>
            <summary>
              <span>
                {texts.table.title}
                <span className="sr-only">{texts.table.of(title)}</span>
              </span>
              <ChevronDown size={18} />
            </summary>
            <table className={css.table}>
              <caption className="sr-only">{texts.caption(title, year)}</caption>
              <thead>
                <tr>
                  <th scope="col">{first}</th>
                  {others.map((name, index) => (
                    <th
                      key={index}
                      scope="col"
                      className={css.number}
                    >
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, to, cells }, index) => (
                  <tr key={index}>
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
            {note && <p className="text-soft">{note}</p>}
          </details>
        </>
      )}
    </section>
  )
}
