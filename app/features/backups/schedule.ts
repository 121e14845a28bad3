/** When a nightly backup is due, in the shop's own time zone (045). */
import { TZDate } from '@date-fns/tz'

/** The last time that it was `at` ("03:30"), now included; UTC milliseconds. */
export function lastPoint(at: string, now: number, timeZone: string): number {
  const today = pointOf(at, now, timeZone, 0)
  return today <= now ? today : pointOf(at, now, timeZone, -1)
}

export function nextPoint(at: string, now: number, timeZone: string): number {
  const today = pointOf(at, now, timeZone, 0)
  return today > now ? today : pointOf(at, now, timeZone, 1)
}

/** A time that a night leaves out, when clocks go forward, is the one an hour later. */
function pointOf(at: string, now: number, timeZone: string, days: number): number {
  const [hour, minute] = at.split(':').map(Number)
  const day = new TZDate(now, timeZone)
  return new TZDate(day.getFullYear(), day.getMonth(), day.getDate() + days, hour!, minute!, timeZone).getTime()
}
