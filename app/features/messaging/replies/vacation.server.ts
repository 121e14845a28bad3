import type { MessagingSettings } from '#settings/shop-settings.ts'
import { dayAndTime, formatIsoDay, isDay } from '#ui/format-date.ts'
import { readMessagingSettings } from '#settings/settings.server.ts'
import type { AppServices } from '#services/context.ts'
import { vacationTexts } from '../owner-texts.ts'

export type VacationSettings = Pick<MessagingSettings, 'awayFrom' | 'awayUntil' | 'awayText'>
export type VacationNotice = NonNullable<ReturnType<typeof currentVacation>>

const dayText = (day: string) => (isDay(day) ? formatIsoDay(day) : null)

export const today = (now: number, timeZone: string) => dayAndTime(now, timeZone)[0]

/** The first and the last day are included, and either day may be ''. [S-185] */
export function vacationState(
  { awayFrom, awayUntil }: VacationSettings,
  now: number,
  timeZone: string,
) {
  const from = isDay(awayFrom) ? awayFrom : ''
  const until = isDay(awayUntil) ? awayUntil : ''
  if (from === '' && until === '') return 'none'
  const day = today(now, timeZone)
  if (until !== '' && day > until) return 'over'
  return from !== '' && day < from ? 'planned' : 'now'
}

export function currentVacation(absence: VacationSettings, now: number, timeZone: string) {
  if (vacationState(absence, now, timeZone) !== 'now') return null
  return { until: dayText(absence.awayUntil), text: absence.awayText }
}

export function vacationStateText(absence: VacationSettings, now: number, timeZone: string) {
  const from = dayText(absence.awayFrom)
  const until = dayText(absence.awayUntil)
  const { none, planned, now: current, over } = vacationTexts.states
  return { none, planned: planned(from, until), now: current(until), over: over(until) }[
    vacationState(absence, now, timeZone)
  ]
}

export const readVacationNotice = async ({
  db,
  now,
  timeZone,
}: Pick<AppServices, 'db' | 'now' | 'timeZone'>) =>
  currentVacation(await readMessagingSettings(db), now(), timeZone)
