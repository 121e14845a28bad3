import { TZDate } from '@date-fns/tz'
import { salesTexts } from './texts.ts'

/** `month` is a number from 1 to 12, and `year` is always the current year. The week 0 means 'All Weeks'. [SALES-04, S-105] */
export type Period = { year: number; month: number; week: number }

/** The first and the last millisecond of a period, in UTC. [DATA-117, DATA-118] */
export type Range = { from: number; to: number }

const DAYS_IN_WEEK = 7

export const weekName = (week: number): string => salesTexts.weeks[week]!

export const monthName = ({ year, month }: Period): string =>
  monthFormat.format(Date.UTC(year, month - 1))
const monthFormat = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Returns the number of days in a month. For JavaScript, day 0 of the next month is the last day of this month. */
const daysIn = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Returns the number of weeks in a month. The first week always has the days 1 to 7, and a fifth week has the days after day 28. [S-106] */
export const weeksIn = (year: number, month: number): number =>
  Math.ceil(daysIn(year, month) / DAYS_IN_WEEK)

/** Reads month and week from the URL. Without a valid month, returns the current month. Without a valid week, returns all weeks. [S-107] */
export function parsePeriod(search: URLSearchParams, now: number, timeZone: string): Period {
  const today = new TZDate(now, timeZone)
  const year = today.getFullYear()
  const month = parseInteger(search.get('month'), 1, 12) ?? today.getMonth() + 1
  return { year, month, week: parseInteger(search.get('week'), 1, weeksIn(year, month)) ?? 0 }
}

const parseInteger = (text: string | null, least: number, most: number): number | null =>
  text && /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most
    ? Number(text)
    : null

/** Returns the next or previous month of the same year, with all its weeks. The month after December is January of the same year. [SALES-02, SALES-03, S-107] */
export const stepMonth = ({ year, month }: Period, by: 1 | -1): Period => ({
  year,
  month: ((month - 1 + by + 12) % 12) + 1,
  week: 0,
})

/** Returns the next or previous week of the same month. 'All Weeks' is between the last and the first week. [SALES-05, SALES-11, S-106] */
export function stepWeek({ year, month, week }: Period, by: 1 | -1): Period {
  const places = weeksIn(year, month) + 1
  return { year, month, week: (week + by + places) % places }
}

const HALF_HOUR = 1_800_000

/**
 * Returns the first millisecond of a day in the shop's time zone. If the clocks skip midnight, the day begins at 1:00. If the clocks go
 * back so that a day has two midnights, the day begins at the first midnight. The date library alone may return the second midnight. [S-186]
 */
export function startOfDay(year: number, month: number, day: number, timeZone: string): number {
  const dayAt = (at: number) => new TZDate(at, timeZone).getDate()
  let start = new TZDate(year, month - 1, day, timeZone).getTime()
  while (dayAt(start - HALF_HOUR) === dayAt(start)) start -= HALF_HOUR
  return start
}

/** Returns the first millisecond of the following day in the shop's time zone. */
export function endOfDay(day: string, timeZone: string): number {
  const [year, month, date] = day.split('-').map(Number)
  const next = new TZDate(year!, month! - 1, date! + 1, 12, timeZone)
  return startOfDay(next.getFullYear(), next.getMonth() + 1, next.getDate(), timeZone)
}

/** Returns the first and the last millisecond of a period, in UTC. [SALES-15, SALES-16] */
export function periodRange({ year, month, week }: Period, timeZone: string): Range {
  const lastDay = daysIn(year, month)
  const first = week === 0 ? 1 : (week - 1) * DAYS_IN_WEEK + 1
  const last = week === 0 ? lastDay : Math.min(week * DAYS_IN_WEEK, lastDay)
  const [nextYear, nextMonth, nextDay] =
    last < lastDay ? [year, month, last + 1] : month < 12 ? [year, month + 1, 1] : [year + 1, 1, 1]
  return {
    from: startOfDay(year, month, first, timeZone),
    to: startOfDay(nextYear, nextMonth, nextDay, timeZone) - 1,
  }
}
