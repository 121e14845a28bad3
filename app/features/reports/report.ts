import { recordOf } from '#lib/record-of.ts'
import type { Cents } from '#pricing/money.ts'

/** `entries` counts sales and cancellations. The other fields subtract cancellations. */
export type Sum = {
  entries: number
  sales: number
  revenue: Cents
  discounts: Cents
  reduced: number
}
export const MAX_BARS = 6

export const KINDS = ['category', 'item', 'buyer'] as const
export type Kind = (typeof KINDS)[number]

export const addSums = (rows: readonly Sum[]) =>
  recordOf(['entries', 'sales', 'revenue', 'discounts', 'reduced'], (name) =>
    rows.reduce((sum, row) => sum + row[name], 0),
  )

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
export const reportMonthName = (month: number) => monthFormat.format(Date.UTC(2000, month - 1))

export const shareText = (part: number, total: number) =>
  total > 0 ? `${Math.round((part * 100) / total)}%` : null

export function drilldownUrl(
  year: number,
  filter: { month?: number } & Partial<Record<Kind, string>>,
) {
  const search = new URLSearchParams({ year: String(year) })
  for (const [name, value] of Object.entries(filter)) search.set(name, String(value))
  return `/manage/reports/sales/?${search}`
}
