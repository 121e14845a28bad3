/** What the reports of a year consist of. Money is cents, months are 1 to 12. */
import type { Cents } from '#app/features/pricing/money.ts'

/** `discounts`: what the prices were lowered by; a price that was raised, or is not known, lowers nothing. */
export type Sum = { sales: number; revenue: Cents; discounts: Cents; reduced: number }
export type MonthSum = Sum & { month: number }
/** One category, item or buyer; `key` is what addresses call it. */
export type Named = { key: string; name: string; sales: number; revenue: Cents }
/** The best of a kind by revenue, and all others together, so that they add up to the year. */
export type Ranking = { rows: Named[]; others: { count: number; sales: number; revenue: Cents } }
/** So many of a kind have a bar; the table has more. */
export const BARS = 6
export type RequestSum = { month: number; requests: number; sold: number }

export const KINDS = ['category', 'item', 'buyer'] as const
export type Kind = (typeof KINDS)[number]

export type Report = {
  months: MonthSum[]
  /** the revenue of the twelve months before them; null where nothing was sold */
  before: Cents[] | null
  whole: Sum
  receipts: number
  rankings: Record<Kind, Ranking>
  requests: RequestSum[]
  asked: { requests: number; sold: number }
  /** the day from which requests are known */
  requestsSince: string | null
}
/** `report` null: it could not be read */
export type ReportsPage = { year: number; years: number[]; report: Report | null }

const nothing: Sum = { sales: 0, revenue: 0, discounts: 0, reduced: 0 }
export const sumOf = (rows: readonly Sum[]): Sum =>
  rows.reduce(
    (sum, row) => ({
      sales: sum.sales + row.sales,
      revenue: sum.revenue + row.revenue,
      discounts: sum.discounts + row.discounts,
      reduced: sum.reduced + row.reduced,
    }),
    nothing,
  )

const monthOf = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
/** "March" */
export const monthName = (month: number): string => monthOf.format(Date.UTC(2000, month - 1))

/** "40%"; null where there is nothing to take a share of. */
export const shareText = (part: number, whole: number): string | null => (whole > 0 ? `${Math.round((part * 100) / whole)}%` : null)

/** S-197 */
export const NO_CATEGORY = 'Without a category'
/** The address of the list of sales that a number consists of. */
export function salesBehind(year: number, filter: { month?: number } & Partial<Record<Kind, string>>): string {
  const search = new URLSearchParams({ year: String(year) })
  for (const [name, value] of Object.entries(filter)) search.set(name, String(value))
  return `/manage/reports/sales/?${search}`
}
