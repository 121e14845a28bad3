/** Money is cents, months are 1 to 12. */
import type { Cents } from '#app/features/pricing/money.ts'

/**
 * A canceling entry counts as one sale less, also in revenue and discounts [S-301]; `entries` counts both. `discounts`: sum of the
 * reductions; increases and unknown original prices do not count
 */
export type Sum = { entries: number; sales: number; revenue: Cents; discounts: Cents; reduced: number }
export type MonthSum = Sum & { month: number }
/** `key`: used in URLs. */
export type RankedRow = { key: string; name: string; sales: number; revenue: Cents }
/** The categories, items or buyers with the highest revenue, and the sum of the others, so that both add up to the year. */
export type Ranking = { rows: RankedRow[]; others: { count: number; sales: number; revenue: Cents } }
/** The chart shows this many bars; the table shows more. */
export const MAX_BARS = 6
export type RequestSum = { month: number; requests: number; sold: number }

export const KINDS = ['category', 'item', 'buyer'] as const
export type Kind = (typeof KINDS)[number]

export type Report = {
  months: MonthSum[]
  /** revenue of the previous twelve months; null: nothing was sold in them */
  before: Cents[] | null
  whole: Sum
  receipts: number
  rankings: Record<Kind, Ranking>
  requests: RequestSum[]
  requestTotals: { requests: number; sold: number }
  /** the month of the first recorded request */
  requestsSince: string | null
}
/** `report` null: the sales could not be read */
export type ReportsPage = { year: number; years: number[]; report: Report | null }

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
/** Returns a name such as "March". */
export const monthName = (month: number): string => monthFormat.format(Date.UTC(2000, month - 1))

/** Returns "40%"; null: the total is 0. */
export const shareText = (part: number, whole: number): string | null => (whole > 0 ? `${Math.round((part * 100) / whole)}%` : null)

/** Returns the URL of the page with the sales behind a number. */
export function drilldownUrl(year: number, filter: { month?: number } & Partial<Record<Kind, string>>): string {
  const search = new URLSearchParams({ year: String(year) })
  for (const [name, value] of Object.entries(filter)) search.set(name, String(value))
  return `/manage/reports/sales/?${search}`
}
