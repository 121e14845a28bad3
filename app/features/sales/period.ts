import { TZDate } from '@date-fns/tz'
import { salesTexts } from './texts.ts'

/** `month` is 1 to 12. Week 0 means 'All Weeks'. */
export type Period = { year: number; month: number; week: number }

export type Range = { from: number; to: number }

const DAYS_IN_WEEK = 7

export const weekName = (week: number) => salesTexts.weeks[week]!

export const monthName = ({ year, month }: Period) => monthFormat.format(Date.UTC(year, month - 1))
const monthFormat = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

export const weeksIn = (year: number, month: number) =>
  Math.ceil(daysIn(year, month) / DAYS_IN_WEEK)

export function parsePeriod(search: URLSearchParams, now: number, timeZone: string) {
  const today = new TZDate(now, timeZone)
  const year = today.getFullYear()
  const month = parseInteger(search.get('month'), 1, 12) ?? today.getMonth() + 1
  return { year, month, week: parseInteger(search.get('week'), 1, weeksIn(year, month)) ?? 0 }
}

const parseInteger = (text: string | null, least: number, most: number) =>
  text && /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? Number(text)
    : null

/** The month after December is January of the same year. [SALES-02] */
export const stepMonth = ({ year, month }: Period, by: 1 | -1) => ({
  year,
  month: ((month - 1 + by + 12) % 12) + 1,
  week: 0,
})

export function stepWeek({ year, month, week }: Period, by: 1 | -1) {
  const places = weeksIn(year, month) + 1
  return { year, month, week: (week + by + places) % places }
}

const HALF_HOUR = 1_800_000

/**
 * Where clocks skip midnight, the day begins at 1:00. Where midnight occurs twice, the day begins
 * at the first, but the date library may return the second. [S-186]
 */
export function startOfDay(year: number, month: number, day: number, timeZone: string) {
  const dayAt = (at: number) => new TZDate(at, timeZone).getDate()
  let start = new TZDate(year, month - 1, day, timeZone).getTime()
  while (dayAt(start - HALF_HOUR) === dayAt(start)) start -= HALF_HOUR
  return start
}

export function endOfDay(day: string, timeZone: string) {
  const [year, month, date] = day.split('-').map(Number)
  const next = new TZDate(year!, month! - 1, date! + 1, 12, timeZone)
  return startOfDay(next.getFullYear(), next.getMonth() + 1, next.getDate(), timeZone)
}

export function periodRange({ year, month, week }: Period, timeZone: string) {
  const lastDay = daysIn(year, month)
  const first = week === 0 ? 1 : (week - 1) * DAYS_IN_WEEK + 1
  const last = week === 0 ? lastDay : Math.min(week * DAYS_IN_WEEK, lastDay)
  const next = new Date(Date.UTC(year, month - 1, last + 1))
  return {
    from: startOfDay(year, month, first, timeZone),
    to: startOfDay(next.getUTCFullYear(), next.getUTCMonth() + 1, next.getUTCDate(), timeZone) - 1,
  }
}

export const yearOf = (at: number, timeZone: string) => new TZDate(at, timeZone).getFullYear()

export const monthRange = (year: number, month: number, timeZone: string) =>
  periodRange({ year, month, week: 0 }, timeZone)

export const yearRange = (year: number, timeZone: string): Range => ({
  from: monthRange(year, 1, timeZone).from,
  to: monthRange(year, 12, timeZone).to,
})
