/** The six reports of a year, each with a chart for the eye and the same as a table for everybody. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatMoney, type Cents } from '#app/features/pricing/money.ts'
import { countText } from '#app/ui/amounts.ts'
import { ChevronDown } from '#app/ui/icons.tsx'
import { MonthBars, RankingBars } from './report-charts.tsx'
import { BARS, KINDS, monthName, salesBehind, shareText, type Kind, type Report } from './report.ts'
import css from './reports.module.css'

type Props = { year: number; report: Report }

export const YearReports = ({ year, report }: Props) => (
  <div className={css.cards}>
    <MonthReport year={year} report={report} />
    {KINDS.map((kind) => (
      <KindReport key={kind} year={year} kind={kind} report={report} />
    ))}
    <DiscountReport year={year} report={report} />
    <RequestReport year={year} report={report} />
  </div>
)

const countOf = (count: number) => count.toLocaleString('en-US')

/** The address of the sales of a month is there only where it has some. */
const behindMonth = (year: number, month: number, sales: number) => (sales > 0 ? salesBehind(year, { month }) : null)

function MonthReport({ year, report: { months, before, whole } }: Props) {
  const best = months.reduce((one, other) => (other.revenue > one.revenue ? other : one))
  const cells = (sales: number, revenue: Cents, earlier: Cents = 0) => [
    countOf(sales),
    formatMoney(revenue),
    ...(before ? [formatMoney(earlier)] : []),
  ]
  const allBefore = before?.reduce((sum, cents) => sum + cents, 0)
  return (
    <ReportCard
      title="Revenue by month"
      says={best.revenue > 0 ? `The best month was ${monthName(best.month)}: ${formatMoney(best.revenue)}.` : 'Nothing was sold.'}
      chart={whole.sales > 0 && <MonthBars filled={months.map(({ revenue }) => revenue)} hollow={before} isMoney color="accent" />}
      legend={before && <Legend full={String(year)} hollow={String(year - 1)} color="accent" />}
      year={year}
      head={['Month', 'Pieces', ...(before ? [String(year), String(year - 1)] : ['Revenue'])]}
      rows={months.map(({ month, sales, revenue }, at) => ({
        name: monthName(month),
        to: behindMonth(year, month, sales),
        cells: cells(sales, revenue, before?.[at]),
      }))}
      total={cells(whole.sales, whole.revenue, allBefore)}
    />
  )
}

const kinds: Record<Kind, { head: string; one: string; many: string; says: (name: string) => string }> = {
  category: { head: 'Category', one: 'other category', many: 'other categories', says: (name) => `Most came in with ${name}` },
  item: { head: 'Item', one: 'other item', many: 'other items', says: (name) => `Most came in with ${name}` },
  buyer: { head: 'Buyer', one: 'other buyer', many: 'other buyers', says: (name) => `${name} bought for the most` },
}

function KindReport({ year, kind, report: { rankings, whole } }: Props & { kind: Kind }) {
  const { head, one, many, says } = kinds[kind]
  const { rows, others } = rankings[kind]
  const [best] = rows
  const tail = rows.slice(BARS)
  const unseen = { count: others.count + tail.length, revenue: tail.reduce((sum, row) => sum + row.revenue, others.revenue) }
  const cells = ({ sales, revenue }: { sales: number; revenue: Cents }) => [countOf(sales), formatMoney(revenue)]
  const rest = { name: countText(others.count, one, many), to: null, cells: cells(others) }
  return (
    <ReportCard
      title={`Revenue by ${kind}`}
      says={best ? `${says(best.name)}: ${formatMoney(best.revenue)}.` : 'Nothing was sold.'}
      chart={best && <RankingBars rows={rows} />}
      legend={unseen.count > 0 && <p className="soft">{`And ${countText(unseen.count, one, many)}: ${formatMoney(unseen.revenue)}.`}</p>}
      year={year}
      head={[head, 'Pieces', 'Revenue']}
      rows={[
        ...rows.map((row) => ({ name: row.name, to: salesBehind(year, { [kind]: row.key }), cells: cells(row) })),
        ...(others.count > 0 ? [rest] : []),
      ]}
      total={cells(whole)}
    />
  )
}

function DiscountReport({ year, report: { months, whole } }: Props) {
  const says = `${countText(whole.reduced, 'piece')} for less than the original price, ${formatMoney(whole.discounts)} altogether.`
  return (
    <ReportCard
      title="Discounts given"
      says={whole.reduced > 0 ? says : 'Everything went for its full price.'}
      chart={whole.discounts > 0 && <MonthBars filled={months.map(({ discounts }) => discounts)} isMoney color="honey" />}
      year={year}
      head={['Month', 'Pieces', 'Discounts']}
      rows={months.map(({ month, sales, reduced, discounts }) => ({
        name: monthName(month),
        to: behindMonth(year, month, sales),
        cells: [countOf(reduced), formatMoney(discounts)],
      }))}
      total={[countOf(whole.reduced), formatMoney(whole.discounts)]}
    />
  )
}

function RequestReport({ year, report: { requests, asked, requestsSince } }: Props) {
  const found = `${countOf(asked.sold)} of ${countText(asked.requests, 'request')} became sales: ${shareText(asked.sold, asked.requests)}.`
  const since = requestsSince ? `They are kept since ${requestsSince}` : 'They are kept from now on'
  const all = requests.map((month) => month.requests)
  const sold = requests.map((month) => month.sold)
  const cells = (row: { requests: number; sold: number }) => [
    countOf(row.requests),
    countOf(row.sold),
    shareText(row.sold, row.requests) ?? '–',
  ]
  return (
    <ReportCard
      title="Requests that became sales"
      says={asked.requests > 0 ? found : `No requests are known of ${year}. ${since}.`}
      chart={asked.requests > 0 && <MonthBars filled={sold} hollow={all} isPart color="second" />}
      legend={<Legend full="Became sales" hollow="Requests" color="second" />}
      year={year}
      head={['Month', 'Requests', 'Sales', 'Share']}
      rows={requests.map((row) => ({ name: monthName(row.month), to: null, cells: cells(row) }))}
      total={cells(asked)}
      note={`A request counts in the month in which it was made. ${since}, so what came before does not count.`}
    />
  )
}

/** What the full and the hollow bars stand for. */
const Legend = ({ full, hollow, color }: { full: string; hollow: string; color: 'accent' | 'second' }) => (
  <p className={css.legend}>
    <span className={`${css.key} ${css[color]}`}>{full}</span>
    <span className={css.key}>{hollow}</span>
  </p>
)

type CardProps = {
  title: string
  year: number
  /** what the chart would say in one line */
  says: string
  /** nothing: there is nothing to show */
  chart: ReactNode
  legend?: ReactNode
  head: string[]
  /** `to`: the sales that a row consists of */
  rows: { name: string; to: string | null; cells: string[] }[]
  total: string[]
  note?: string
}

/** The table stands behind its name, since it is long. */
function ReportCard({ title, year, says, chart, legend, head: [first, ...others], rows, total, note }: CardProps) {
  const numbers = (cells: string[]) =>
    cells.map((cell, at) => (
      <td key={at} className={`${css.number} tabular`}>
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
                Table<span className="unseen">{` of ${title.toLowerCase()}`}</span>
              </span>
              <ChevronDown size={18} />
            </summary>
            <table className={css.table}>
              <caption className="unseen">{`${title}, ${year}`}</caption>
              <thead>
                <tr>
                  <th scope="col">{first}</th>
                  {others.map((name) => (
                    <th key={name} scope="col" className={css.number}>
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
                  <th scope="row">Total</th>
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
