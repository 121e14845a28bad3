import { TZDate } from '@date-fns/tz'
import { salesTexts } from './texts.ts'

/** month: 1 to 12 of the current year [SALES-04, S-105]; week: 0 is 'All Weeks' */
export type Period = { year: number; month: number; week: number }

/** Inclusive; UTC milliseconds. [DATA-117, DATA-118] */
export type Range = { from: number; to: number }

const DAYS_IN_WEEK = 7

export const weekName = (week: number): string => salesTexts.weeks[week]!

export const monthName = ({ year, month }: Period): string => monthFormat.format(Date.UTC(year, month - 1))
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Day 0 of the next month is the last day of this month. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** A month has the days 1-7, 8-14, 15-21, 22-28 and, if there are more, the rest. [S-106] */
export const weeksIn = (year: number, month: number): number => Math.ceil(daysIn(year, month) / DAYS_IN_WEEK)

/** Returns the current month with all its weeks by default, and for invalid values. [S-107] */
export function parsePeriod(search: URLSearchParams, now: number, timeZone: string): Period {
  const today = new TZDate(now, timeZone)
  const year = today.getFullYear()
  const month = parseInteger(search.get('month'), 1, 12) ?? today.getMonth() + 1
  return { year, month, week: parseInteger(search.get('week'), 1, weeksIn(year, month)) ?? 0 }
}

const parseInteger = (text: string | null, least: number, most: number): number | null =>
  text && /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null

/** January follows December and vice versa; the year stays, and the week is reset. [SALES-02, SALES-03, S-107] */
export const stepMonth = ({ year, month }: Period, by: 1 | -1): Period => ({ year, month: ((month - 1 + by + 12) % 12) + 1, week: 0 })

/** Steps through 'All Weeks' and the weeks of the month in a circle. [SALES-05, SALES-11, S-106] */
export function stepWeek({ year, month, week }: Period, by: 1 | -1): Period {
  const places = weeksIn(year, month) + 1
  return { year, month, week: (week + by + places) % places }
}

const HALF_HOUR = 1_800_000

/**
 * Returns the first moment of a day in the shop's time zone, in UTC milliseconds: 1:00 if clocks skip midnight, the first of two midnights
 * if they are set back. The date library returns either. [S-186]
 */
export function startOfDay(year: number, month: number, day: number, timeZone: string): number {
  const dayAt = (at: number) => new TZDate(at, timeZone).getDate()
  let start = new TZDate(year, month - 1, day, timeZone).getTime()
  while (dayAt(start - HALF_HOUR) === dayAt(start)) start -= HALF_HOUR
  return start
}

/** Both ends are part of the period, in UTC milliseconds. A day may have 23 or 25 hours. [SALES-15, SALES-16] */
export function periodRange({ year, month, week }: Period, timeZone: string): Range {
  const lastDay = daysIn(year, month)
  const first = week === 0 ? 1 : (week - 1) * DAYS_IN_WEEK + 1
  const last = week === 0 ? lastDay : Math.min(week * DAYS_IN_WEEK, lastDay)
  const [nextYear, nextMonth, nextDay] = last < lastDay ? [year, month, last + 1] : month < 12 ? [year, month + 1, 1] : [year + 1, 1, 1]
  return { from: startOfDay(year, month, first, timeZone), to: startOfDay(nextYear, nextMonth, nextDay, timeZone) - 1 }
}
