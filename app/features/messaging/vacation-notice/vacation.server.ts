import type { MessagingSettings } from '#app/features/settings/shop-settings.ts'
import { dayAndTime, formatIsoDay, isDay } from '#app/ui/format-date.ts'
import { readMessagingSettings } from '#app/features/settings/settings.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { vacationTexts } from '../owner-texts.ts'

export type VacationSettings = Pick<MessagingSettings, 'awayFrom' | 'awayUntil' | 'awayText'>
/** `until` is a formatted date, or null if the owner has named no last day. */
export type VacationNotice = { until: string | null; text: string }

export const MAX_VACATION_TEXT = 500

/** Returns a text such as "March 12, 2026", or null if `day` is invalid. */
const dayText = (day: string): string | null => (isDay(day) ? formatIsoDay(day) : null)

/** Returns today's date as 'YYYY-MM-DD'. Dates in this format can be compared as text. */
export const today = (now: number, timeZone: string): string => dayAndTime(now, timeZone)[0]

type VacationState = 'none' | 'planned' | 'now' | 'over'

/** The first and the last day are days of absence, too. The owner may leave one of the two days empty. [S-185] */
export function vacationState(
  { awayFrom, awayUntil }: VacationSettings,
  now: number,
  timeZone: string,
): VacationState {
  const [from, until] = [isDay(awayFrom) ? awayFrom : '', isDay(awayUntil) ? awayUntil : '']
  if (from === '' && until === '') return 'none'
  const day = today(now, timeZone)
  if (until !== '' && day > until) return 'over'
  return from !== '' && day < from ? 'planned' : 'now'
}

/** Returns the vacation notice, or null if the owner is not away today. [S-185] */
export function currentVacation(
  absence: VacationSettings,
  now: number,
  timeZone: string,
): VacationNotice | null {
  if (vacationState(absence, now, timeZone) !== 'now') return null
  return {
    until: isDay(absence.awayUntil) ? dayText(absence.awayUntil) : null,
    text: absence.awayText,
  }
}

export function vacationStateText(
  absence: VacationSettings,
  now: number,
  timeZone: string,
): string {
  const [from, until] = [dayText(absence.awayFrom), dayText(absence.awayUntil)]
  const { none, planned, now: current, over } = vacationTexts.states
  return { none, planned: planned(from, until), now: current(until), over: over(until) }[
    vacationState(absence, now, timeZone)
  ]
}

export const readVacationNotice = async ({
  db,
  now,
  timeZone,
}: Pick<AppServices, 'db' | 'now' | 'timeZone'>): Promise<VacationNotice | null> =>
  currentVacation(await readMessagingSettings(db), now(), timeZone)
