/** What /manage/reports/ shows for an address: the sums of a year and the charts of them. */
import type { Shop } from '#app/platform/context.ts'
import { formatDate } from '#app/ui/dates.ts'
import { readYear, yearAt, yearRange } from './report-year.ts'
import { KINDS, sumOf, type Kind, type Ranking, type Report, type ReportsPage } from './report.ts'
import { countReceipts } from './kept-sums.server.ts'
import { firstRequestAt, listYears, rankSales, sumMonths, sumRequests } from './reports.server.ts'

/** S-196 to S-200. ERR-05: what cannot be read is logged, and the page says so. */
export async function readReportsPage(shop: Shop, address: URL): Promise<ReportsPage> {
  const current = yearAt(shop.now(), shop.timeZone)
  const page = await readReports(shop, address.searchParams, current).catch((error: unknown) => {
    shop.log.error('The reports could not be read.', error)
    return null
  })
  return { year: current, years: [current], ...page, report: page?.report ?? null }
}

async function readReports({ db, timeZone, now }: Shop, search: URLSearchParams, current: number) {
  const years = await listYears(db, now(), timeZone)
  const year = readYear(search, years, current)
  const range = yearRange(year, timeZone)
  const [months, before, requests, since, receipts] = await Promise.all([
    sumMonths(db, year, timeZone),
    sumMonths(db, year - 1, timeZone),
    sumRequests(db, year, timeZone),
    firstRequestAt(db),
    countReceipts(db, year, range),
  ])
  const whole = sumOf(months)
  const rankings = Object.fromEntries(
    await Promise.all(KINDS.map(async (kind) => [kind, await rankSales(db, kind, year, timeZone, whole)] as const)),
  ) as Record<Kind, Ranking>
  const asked = requests.reduce((sum, month) => ({ requests: sum.requests + month.requests, sold: sum.sold + month.sold }), {
    requests: 0,
    sold: 0,
  })
  const report = {
    months,
    before: sumOf(before).sales > 0 ? before.map((month) => month.revenue) : null,
    whole,
    receipts,
    rankings,
    requests,
    asked,
    requestsSince: since === null ? null : formatDate(since, timeZone),
    charts: await drawCharts({ months, before, whole, rankings, requests, asked }),
  }
  return { year, years, report }
}

type Drawn = Pick<Report, 'months' | 'whole' | 'rankings' | 'requests' | 'asked'> & { before: Report['months'] }

/** Empty texts where there is nothing to draw. The library is loaded when reports are first asked for: a start needs none of it. */
async function drawCharts({ months, before, whole, rankings, requests, asked }: Drawn) {
  const { drawMonths, drawRanking, inDollars } = await import('./charts.server.ts')
  const revenue = inDollars(months.map((month) => month.revenue))
  const hollow = sumOf(before).sales > 0 ? inDollars(before.map((month) => month.revenue)) : null
  const ofKind = (kind: Kind) => (whole.sales > 0 ? drawRanking(rankings[kind]) : '')
  return {
    months: whole.sales > 0 ? drawMonths({ filled: revenue, hollow, isInside: false, isMoney: true, color: 'var(--accent)' }) : '',
    category: ofKind('category'),
    item: ofKind('item'),
    buyer: ofKind('buyer'),
    discounts:
      whole.discounts > 0
        ? drawMonths({
            filled: inDollars(months.map((month) => month.discounts)),
            ...{ hollow: null, isInside: false, isMoney: true, color: 'var(--honey)' },
          })
        : '',
    requests:
      asked.requests > 0
        ? drawMonths({
            filled: requests.map((month) => month.sold),
            hollow: requests.map((month) => month.requests),
            ...{ isInside: true, isMoney: false, color: 'var(--second)' },
          })
        : '',
  }
}
