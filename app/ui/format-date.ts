/** Formats dates in the shop's time zone, so that the server, the pages and the printed documents show the same date. [S-108] */

/** Formatters are reused, because creating a formatter takes longer than using it a hundred times. */
const formatters = new Map<string, Intl.DateTimeFormat>()
function formatter(
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
  locale = 'en-US',
): Intl.DateTimeFormat {
  const key = `${timeZone} ${Object.keys(options).join()}`
  const format = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
  formatters.set(key, format)
  return format
}
const DATE = { month: 'long', day: '2-digit', year: 'numeric' } as const
const TIME = { hour: 'numeric', minute: '2-digit' } as const

/** Returns for example "January 05, 2024". [CONST-02] */
export const formatDate = (at: number, timeZone: string): string =>
  formatter(timeZone, DATE).format(at)

const WEEKDAY = { weekday: 'long' } as const
const DAY = { month: 'long', day: 'numeric' } as const
/** Returns for example "Friday" if `isNear` is true, and "January 5" if it is false. */
export const formatDay = (at: number, timeZone: string, isNear: boolean): string =>
  formatter(timeZone, isNear ? WEEKDAY : DAY).format(at)

/** Returns for example "3:05 PM". */
export const formatTime = (at: number, timeZone: string): string =>
  // JavaScript engines put different space characters before AM and PM.
  formatter(timeZone, TIME).format(at).replace(/\s/gu, ' ')

const SORTABLE = { dateStyle: 'short', timeStyle: 'short' } as const
/** Returns for example ["2026-03-04", "09:05"]. */
export function dayAndTime(at: number, timeZone: string): [day: string, time: string] {
  const [day = '', time = ''] = formatter(timeZone, SORTABLE, 'sv-SE').format(at).split(' ')
  return [day, time]
}

/** Returns for example "January 05, 2024" for "2024-01-05". */
export const formatIsoDay = (day: string): string =>
  formatDate(Date.parse(`${day}T12:00:00Z`), 'UTC')

/** Returns true if the text has the form YYYY-MM-DD and the calendar contains this day. */
export function isDay(text: string): boolean {
  const noon = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T12:00:00Z`) : Number.NaN
  return !Number.isNaN(noon) && new Date(noon).toISOString().slice(0, 10) === text
}
