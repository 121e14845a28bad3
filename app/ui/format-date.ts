/** Creating a formatter takes longer than using it a hundred times. */
const formatters = new Map<string, Intl.DateTimeFormat>()
function formatter(timeZone: string, options: Intl.DateTimeFormatOptions, locale = 'en-US') {
  const key = `${timeZone} ${Object.keys(options).join()}`
  const format = formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
  formatters.set(key, format)
  return format
}
const DATE = { month: 'long', day: '2-digit', year: 'numeric' } as const
const TIME = { hour: 'numeric', minute: '2-digit' } as const

/** Makes "January 05, 2024". [CONST-02] */
export const formatDate = (at: number, timeZone: string) => formatter(timeZone, DATE).format(at)

const WEEKDAY = { weekday: 'long' } as const
const DAY = { month: 'long', day: 'numeric' } as const
/** Makes "Friday" if `isNear`, otherwise "January 5". */
export const formatDay = (at: number, timeZone: string, isNear: boolean) =>
  formatter(timeZone, isNear ? WEEKDAY : DAY).format(at)

export const formatTime = (at: number, timeZone: string) =>
  // JavaScript engines put different spaces before AM and PM.
  formatter(timeZone, TIME).format(at).replace(/\s/gu, ' ')

const SORTABLE = { dateStyle: 'short', timeStyle: 'short' } as const
/** Makes ["2026-03-04", "09:05"]. */
export const dayAndTime = (at: number, timeZone: string) =>
  formatter(timeZone, SORTABLE, 'sv-SE').format(at).split(' ') as [day: string, time: string]

/** Makes "January 05, 2024" from "2024-01-05". */
export const formatIsoDay = (day: string) => formatDate(Date.parse(`${day}T12:00:00Z`), 'UTC')

export function isDay(text: string) {
  const noon = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T12:00:00Z`) : Number.NaN
  return !Number.isNaN(noon) && new Date(noon).toISOString().slice(0, 10) === text
}
