import type { TalkSettings } from '#app/features/settings/shop-settings.ts'
import { dayAndTime, formatDate, isDay } from '#app/ui/dates.ts'
import { readTalkSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'

export type Absence = Pick<TalkSettings, 'awayFrom' | 'awayUntil' | 'awayText'>
/** What a customer's chat shows; `until` as people read it, null while nobody knows. */
export type Away = { until: string | null; text: string }

export const MAX_AWAY_TEXT = 500

/** "March 12, 2026"; null for no day. A day has no zone: it is told at its noon. */
const dayText = (day: string): string | null => (isDay(day) ? formatDate(Date.parse(`${day}T12:00:00Z`), 'UTC') : null)

/** Today in the shop's own zone, as days are written here. Days compare as texts. */
export const today = (now: number, timeZone: string): string => dayAndTime(now, timeZone)[0]

type AbsenceState = 'none' | 'planned' | 'now' | 'over'

/** S-185: first and last day belong to it; one of the two is enough. */
export function stateOf({ awayFrom, awayUntil }: Absence, now: number, timeZone: string): AbsenceState {
  const [from, until] = [isDay(awayFrom) ? awayFrom : '', isDay(awayUntil) ? awayUntil : '']
  if (from === '' && until === '') return 'none'
  const day = today(now, timeZone)
  if (until !== '' && day > until) return 'over'
  return from !== '' && day < from ? 'planned' : 'now'
}

/** S-185: what the chat shows now; null while she is there. */
export function awayNow(absence: Absence, now: number, timeZone: string): Away | null {
  if (stateOf(absence, now, timeZone) !== 'now') return null
  return { until: isDay(absence.awayUntil) ? dayText(absence.awayUntil) : null, text: absence.awayText }
}

export function stateText(absence: Absence, now: number, timeZone: string): string {
  const [from, until] = [dayText(absence.awayFrom), dayText(absence.awayUntil)]
  return {
    none: 'You are not away. With a first or a last day, customers read this in their chat.',
    planned: `Customers will see this from ${from}${until ? ` to ${until}` : ' on'}.`,
    now: `Customers see this now${until ? `, and the last time on ${until}` : ', until you take the day out'}.`,
    over: `This was shown until ${until}. Nobody sees it now.`,
  }[stateOf(absence, now, timeZone)]
}

/** S-185 */
export const readAway = async ({ db, now, timeZone }: Pick<Shop, 'db' | 'now' | 'timeZone'>): Promise<Away | null> =>
  awayNow(await readTalkSettings(db), now(), timeZone)
