/** How dates and times are shown: in the shop's own time zone, so that server, page and print agree (S-108). */

/** Making one takes longer than a hundred uses, and a long conversation shows a thousand times. */
const made = new Map<string, Intl.DateTimeFormat>()
function formatter(timeZone: string, options: Intl.DateTimeFormatOptions, locale = 'en-US'): Intl.DateTimeFormat {
  const key = `${timeZone} ${Object.keys(options).join()}`
  const format = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
  made.set(key, format)
  return format
}
const DATE = { month: 'long', day: '2-digit', year: 'numeric' } as const
const TIME = { hour: 'numeric', minute: '2-digit' } as const

/** CONST-02: 'MMMM DD, YYYY', for example "January 05, 2024". */
export const formatDate = (at: number, timeZone: string): string => formatter(timeZone, DATE).format(at)

/** "3:05 PM" */
export const formatTime = (at: number, timeZone: string): string =>
  // The space before AM and PM differs between engines; one plain space keeps server and browser alike.
  formatter(timeZone, TIME).format(at).replace(/\s/gu, ' ')

const SORTABLE = { dateStyle: 'short', timeStyle: 'short' } as const
/** "2026-03-04", "09:05": how date fields write a day, and what every spreadsheet sorts. */
export function dayAndTime(at: number, timeZone: string): [day: string, time: string] {
  const [day = '', time = ''] = formatter(timeZone, SORTABLE, 'sv-SE').format(at).split(' ')
  return [day, time]
}

/** 'YYYY-MM-DD' of a day that exists. */
export function isDay(text: string): boolean {
  const noon = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T12:00:00Z`) : Number.NaN
  return !Number.isNaN(noon) && new Date(noon).toISOString().slice(0, 10) === text
}
