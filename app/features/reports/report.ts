/** In the reports, amounts are in cents, and months are numbers from 1 to 12. */
import type { OpenAmounts } from '#app/features/payments/payment.ts'
import type { Cents } from '#app/features/pricing/money.ts'

/**
 * `entries` is the number of sales and cancellations. In the other fields, a cancellation is subtracted. `discounts` is the sum of
 * all reductions. This sum ignores sales above the original price and sales whose original price is unknown. [S-301]
 */
export type Sum = {
  entries: number
  sales: number
  revenue: Cents
  discounts: Cents
  reduced: number
}
export type MonthSum = Sum & { month: number }
/** `key` identifies the category, item or buyer in URLs. */
export type RankedRow = { key: string; name: string; sales: number; revenue: Cents }
/** `rows` are the categories, items or buyers with the highest revenue in a year. `others` is the sum of all categories, items or buyers that are not in `rows`. */
export type Ranking = {
  rows: RankedRow[]
  others: { count: number; sales: number; revenue: Cents }
}
/** A chart shows at most this many bars. The table next to the chart has more rows. */
export const MAX_BARS = 6
export type OrderRequestSum = { month: number; requests: number; sold: number }

export const KINDS = ['category', 'item', 'buyer'] as const
export type Kind = (typeof KINDS)[number]

export type Report = {
  months: MonthSum[]
  /** the revenue in each month of the previous year, or null if nothing was sold in that year */
  before: Cents[] | null
  total: Sum
  receipts: number
  rankings: Record<Kind, Ranking>
  requests: OrderRequestSum[]
  requestTotals: { requests: number; sold: number }
  /** the date of the first recorded order request, or null if no order request was recorded */
  orderRequestsSince: string | null
}
/** `report` is null if the sales could not be read. `openAmounts` are today's open amounts even for a past year, or null if everything is paid. */
export type ReportsPage = {
  year: number
  years: number[]
  report: Report | null
  openAmounts: OpenAmounts | null
}

const emptySum: Sum = { entries: 0, sales: 0, revenue: 0, discounts: 0, reduced: 0 }
export const addSums = (rows: readonly Sum[]): Sum =>
  rows.reduce(
    (sum, row) => ({
      entries: sum.entries + row.entries,
      sales: sum.sales + row.sales,
      revenue: sum.revenue + row.revenue,
      discounts: sum.discounts + row.discounts,
      reduced: sum.reduced + row.reduced,
    }),
    emptySum,
  )

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
/** Returns the name of a month, such as "March". */
export const reportMonthName = (month: number): string =>
  monthFormat.format(Date.UTC(2000, month - 1))

/** Returns the share as a percentage, such as "40%", or null if the total is 0. */
export const shareText = (part: number, total: number): string | null =>
  total > 0 ? `${Math.round((part * 100) / total)}%` : null

/** Returns the URL of the page that lists the sales behind a number in the report. */
export function drilldownUrl(
  year: number,
  filter: { month?: number } & Partial<Record<Kind, string>>,
): string {
  const search = new URLSearchParams({ year: String(year) })
  for (const [name, value] of Object.entries(filter)) search.set(name, String(value))
  return `/manage/reports/sales/?${search}`
}
