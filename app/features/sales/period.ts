import { TZDate } from '@date-fns/tz'

/** month: 1 to 12 of the current year (SALES-04, S-105). week: 0 is 'All Weeks', then 1 to the month's last. */
export type Period = { year: number; month: number; week: number }

/** Both ends are within (DATA-117, DATA-118); UTC milliseconds. */
export type Range = { from: number; to: number }

/** CONST-03 */
const DAYS_IN_WEEK = 7

const WEEKS = ['All Weeks', '1st', '2nd', '3rd', '4th', '5th']

export const weekName = (week: number): string => WEEKS[week]!

export const monthName = ({ year, month }: Period): string => monthFormat.format(Date.UTC(year, month - 1))
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Day 0 of the next month is the last of this one. */
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** S-106: days 1-7, 8-14, 15-21, 22-28 and the rest, which a February of 28 days has not. */
export const weeksIn = (year: number, month: number): number => Math.ceil(daysIn(year, month) / DAYS_IN_WEEK)

/** S-107: opens at the current month and all its weeks; what an address asks for beyond those that exist reads the same. */
export function readPeriod(search: URLSearchParams, now: number, timeZone: string): Period {
  const today = new TZDate(now, timeZone)
  const year = today.getFullYear()
  const month = wholeBetween(search.get('month'), 1, 12) ?? today.getMonth() + 1
  return { year, month, week: wholeBetween(search.get('week'), 1, weeksIn(year, month)) ?? 0 }
}

const wholeBetween = (text: string | null, least: number, most: number): number | null =>
  text && /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null

/** SALES-02, SALES-03, S-107: December and January are neighbours, the year stays, the week starts over. */
export const stepMonth = ({ year, month }: Period, by: 1 | -1): Period => ({ year, month: ((month - 1 + by + 12) % 12) + 1, week: 0 })

/** SALES-05, SALES-11, S-106: a ring of 'All Weeks' and the month's weeks. */
export function stepWeek({ year, month, week }: Period, by: 1 | -1): Period {
  const places = weeksIn(year, month) + 1
  return { year, month, week: (week + by + places) % places }
}

const HALF_HOUR = 1_800_000

/**
 * S-186: the first instant of a day of the shop, UTC milliseconds. It may be 1:00, where clocks skip midnight; where they are put back to
 * midnight it is the first of the two, of which the library takes now the one, now the other.
 */
export function startOfDay(year: number, month: number, day: number, timeZone: string): number {
  const dayAt = (at: number) => new TZDate(at, timeZone).getDate()
  let start = new TZDate(year, month - 1, day, timeZone).getTime()
  while (dayAt(start - HALF_HOUR) === dayAt(start)) start -= HALF_HOUR
  return start
}

/**
 * SALES-15, SALES-16: from the first instant of the first day to the last millisecond of the last, both UTC milliseconds and both within.
 * A day may have 23 or 25 hours.
 */
export function periodRange({ year, month, week }: Period, timeZone: string): Range {
  const lastDay = daysIn(year, month)
  const first = week === 0 ? 1 : (week - 1) * DAYS_IN_WEEK + 1
  const last = week === 0 ? lastDay : Math.min(week * DAYS_IN_WEEK, lastDay)
  const [nextYear, nextMonth, nextDay] = last < lastDay ? [year, month, last + 1] : month < 12 ? [year, month + 1, 1] : [year + 1, 1, 1]
  return { from: startOfDay(year, month, first, timeZone), to: startOfDay(nextYear, nextMonth, nextDay, timeZone) - 1 }
}
