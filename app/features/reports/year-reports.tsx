/** The six reports of a year, each as chart and table. */
import { formatMoney, type Cents } from '#app/features/money/money.ts'
import { countText } from '#app/ui/amounts.ts'
import { ReportCard, Legend } from './report-card.tsx'
import { ReportTable, type TableRow } from './report-table.tsx'
import { monthName, restOf, salesBehind, shareText, type Kind, type Report } from './report.ts'

type Props = { year: number; report: Report }

/** What a list behind a row can be long: the address of a month is there only where it has sales. */
const behindMonth = (year: number, month: number, sales: number) => (sales > 0 ? salesBehind(year, { month }) : null)

export function MonthReport({ year, report: { months, before, whole, charts } }: Props) {
  const sold = (revenue: Cents, at: number) => [formatMoney(revenue), ...(before ? [formatMoney(before[at] ?? 0)] : [])]
  return (
    <ReportCard
      title="Revenue by month"
      says={bestOf(months)}
      chart={charts.months}
      legend={before && <Legend full={String(year)} hollow={String(year - 1)} color="accent" />}
    >
      <ReportTable
        caption={`Revenue by month, ${year}`}
        head={['Month', 'Pieces', ...(before ? [String(year), String(year - 1)] : ['Revenue'])]}
        rows={months.map(({ month, sales, revenue }, at) => ({
          name: monthName(month),
          to: behindMonth(year, month, sales),
          cells: [sales.toLocaleString('en-US'), ...sold(revenue, at)],
        }))}
        total={[
          whole.sales.toLocaleString('en-US'),
          formatMoney(whole.revenue),
          ...(before ? [formatMoney(before.reduce((sum, cents) => sum + cents, 0))] : []),
        ]}
      />
    </ReportCard>
  )
}

function bestOf(months: Report['months']): string {
  const best = months.reduce((one, other) => (other.revenue > one.revenue ? other : one))
  return best.revenue > 0 ? `The best month was ${monthName(best.month)}: ${formatMoney(best.revenue)}.` : 'Nothing was sold.'
}

const kinds: Record<Kind, { title: string; head: string; one: string; many: string; says: (name: string) => string }> = {
  category: {
    title: 'Revenue by category',
    head: 'Category',
    one: 'other category',
    many: 'other categories',
    says: (name) => `Most came in with ${name}`,
  },
  item: { title: 'Revenue by item', head: 'Item', one: 'other item', many: 'other items', says: (name) => `Most came in with ${name}` },
  buyer: {
    title: 'Revenue by buyer',
    head: 'Buyer',
    one: 'other buyer',
    many: 'other buyers',
    says: (name) => `${name} bought for the most`,
  },
}

export function KindReport({ year, kind, report: { rankings, whole, charts } }: Props & { kind: Kind }) {
  const { title, head, one, many, says } = kinds[kind]
  const { rows, others } = rankings[kind]
  const lines: TableRow[] = rows.map(({ key, name, sales, revenue }) => ({
    name,
    to: salesBehind(year, { [kind]: key }),
    cells: [sales.toLocaleString('en-US'), formatMoney(revenue)],
  }))
  const rest = { name: countText(others.count, one, many), to: null }
  const [best] = rows
  const unseen = restOf(rankings[kind])
  return (
    <ReportCard
      title={title}
      says={best ? `${says(best.name)}: ${formatMoney(best.revenue)}.` : 'Nothing was sold.'}
      chart={charts[kind]}
      legend={unseen.count > 0 && <p className="soft">{`And ${countText(unseen.count, one, many)}: ${formatMoney(unseen.revenue)}.`}</p>}
    >
      <ReportTable
        caption={`${title}, ${year}`}
        head={[head, 'Pieces', 'Revenue']}
        rows={
          others.count > 0 ? [...lines, { ...rest, cells: [others.sales.toLocaleString('en-US'), formatMoney(others.revenue)] }] : lines
        }
        total={[whole.sales.toLocaleString('en-US'), formatMoney(whole.revenue)]}
      />
    </ReportCard>
  )
}

export function DiscountReport({ year, report: { months, whole, charts } }: Props) {
  const says = `${countText(whole.reduced, 'piece')} for less than the original price, ${formatMoney(whole.discounts)} altogether.`
  return (
    <ReportCard title="Discounts given" says={whole.reduced > 0 ? says : 'Everything went for its full price.'} chart={charts.discounts}>
      <ReportTable
        caption={`Discounts given, ${year}`}
        head={['Month', 'Pieces', 'Discounts']}
        rows={months.map(({ month, sales, reduced, discounts }) => ({
          name: monthName(month),
          to: behindMonth(year, month, sales),
          cells: [reduced.toLocaleString('en-US'), formatMoney(discounts)],
        }))}
        total={[whole.reduced.toLocaleString('en-US'), formatMoney(whole.discounts)]}
      />
    </ReportCard>
  )
}

export function RequestReport({ year, report: { requests, asked, requestsSince, charts } }: Props) {
  const found = `${asked.sold.toLocaleString('en-US')} of ${countText(asked.requests, 'request')} became sales: ${shareText(asked.sold, asked.requests)}.`
  const since = requestsSince ? `They are kept since ${requestsSince}` : 'They are kept from now on'
  return (
    <ReportCard
      title="Requests that became sales"
      says={asked.requests > 0 ? found : `No requests are known of ${year}. ${since}.`}
      chart={charts.requests}
      legend={<Legend full="Became sales" hollow="Requests" color="second" />}
    >
      <ReportTable
        caption={`Requests that became sales, ${year}`}
        head={['Month', 'Requests', 'Sales', 'Share']}
        rows={requests.map((row) => ({
          name: monthName(row.month),
          to: null,
          cells: [row.requests.toLocaleString('en-US'), row.sold.toLocaleString('en-US'), shareText(row.sold, row.requests) ?? '–'],
        }))}
        total={[asked.requests.toLocaleString('en-US'), asked.sold.toLocaleString('en-US'), shareText(asked.sold, asked.requests) ?? '–']}
      />
      <p className="soft">{`A request counts in the month in which it was made. ${since}, so what came before does not count.`}</p>
    </ReportCard>
  )
}
