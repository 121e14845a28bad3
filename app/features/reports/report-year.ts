/** The years and months that reports are about, and the days of a download, in the shop's own time zone (S-108). */
import { TZDate } from '@date-fns/tz'
import { periodRange, startOfDay, type Range } from '#app/features/sales/period.ts'
import { isDay } from '#app/ui/dates.ts'

export const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const

export const yearAt = (at: number, timeZone: string): number => new TZDate(at, timeZone).getFullYear()

/** From the first instant of January to the last millisecond of December, both within (as SALES-15, SALES-16). */
export const yearRange = (year: number, timeZone: string): Range => ({
  from: periodRange({ year, month: 1, week: 0 }, timeZone).from,
  to: periodRange({ year, month: 12, week: 0 }, timeZone).to,
})

export const monthRange = (year: number, month: number, timeZone: string): Range => periodRange({ year, month, week: 0 }, timeZone)

/** S-198: the year of an address; what it asks for beyond those that there are reads as the current one. */
export function readYear(search: URLSearchParams, years: readonly number[], current: number): number {
  const asked = search.get('year')
  return years.find((year) => String(year) === asked) ?? current
}

/** '2026-03-04'; null for what is no day. Years before 1000 are left out: the library reads 26 as 1926. */
const readDay = (text: string | null): string | null => (text && isDay(text) && text >= '1000' ? text : null)

export type Days = { first: string | null; last: string | null; range: Range }

/** S-201: the first and the last day of a download, both within; an end that is missing or no day is open, the wrong way round is turned. */
export function readDays(search: URLSearchParams, timeZone: string): Days {
  const asked = [readDay(search.get('from')), readDay(search.get('to'))]
  const [first = null, last = null] = asked[0] && asked[1] && asked[0] > asked[1] ? asked.toReversed() : asked
  const startOf = (text: string, more: number) => {
    const [year, month, day] = text.split('-').map(Number) as [number, number, number]
    return startOfDay(year, month, day + more, timeZone)
  }
  return { first, last, range: { from: first ? startOf(first, 0) : -LONG, to: last ? startOf(last, 1) - 1 : LONG } }
}

/** Further than any date, and a whole number for every database. */
const LONG = 8_640_000_000_000_000
