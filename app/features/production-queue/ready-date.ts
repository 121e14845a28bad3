/** Computes the day on which the next piece would be ready. Days are calendar days such as '2026-03-04', so days with 23 or 25 hours count as one day. */

/** A day that is further away is not shown, because it would only scare customers. The owner can type a better day in the offer. */
const MAX_DAYS = 3650

/** Returns the typed number of pieces per week in tenths of a piece, or null if the text is blank or invalid. */
export function weeklyTenths(typed: string): number | null {
  const tenths = /^\d{1,3}(\.\d)?$/.test(typed) ? Math.round(Number(typed) * 10) : 0
  return tenths > 0 ? tenths : null
}

/** Returns the day on which the owner completes `pieces` pieces if she begins today. [AGREE-36] */
export function readyDay(pieces: number, perWeekTenths: number, today: string): string {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const days = Math.min(Math.ceil((pieces * 70) / perWeekTenths), MAX_DAYS)
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}

const DAY = { month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const dayInYear = new Intl.DateTimeFormat('en-US', DAY)
const dayAndYear = new Intl.DateTimeFormat('en-US', { ...DAY, year: 'numeric' })

/** Returns for example 'December 12'. Adds the year if it differs from the year of `today`. */
export const formatReadyDay = (day: string, today: string): string =>
  (day.slice(0, 4) === today.slice(0, 4) ? dayInYear : dayAndYear).format(Date.parse(day))
