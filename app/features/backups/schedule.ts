/** When a nightly backup is due, in the shop's own time zone (053). */
import { TZDate } from '@date-fns/tz'

/** The last time that the shop's clock showed `at` ("03:30"), now included; UTC milliseconds. */
export function lastRun(at: string, now: number, timeZone: string): number {
  const today = timeOf(at, now, timeZone, 0)
  return today <= now ? today : timeOf(at, now, timeZone, -1)
}

export function nextRun(at: string, now: number, timeZone: string): number {
  const today = timeOf(at, now, timeZone, 0)
  return today > now ? today : timeOf(at, now, timeZone, 1)
}

/** A time that a night leaves out, when clocks go forward, is the one an hour later. */
function timeOf(at: string, now: number, timeZone: string, days: number): number {
  const [hour, minute] = at.split(':').map(Number)
  const day = new TZDate(now, timeZone)
  return new TZDate(day.getFullYear(), day.getMonth(), day.getDate() + days, hour!, minute!, timeZone).getTime()
}
