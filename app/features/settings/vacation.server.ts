import { cached } from '#lib/db/topic-cache.server.ts'
import type { AppServices } from '#services/context.ts'
import { dayAndTime, formatIsoDay, isDay } from '#ui/format-date.ts'
import { getSettingsCached, readMessagingSettings } from './settings.server.ts'
import type { MessagingSettings } from './shop-settings.ts'
import { awayText } from './texts.ts'

export type VacationSettings = Pick<MessagingSettings, 'awayFrom' | 'awayUntil' | 'awayText'>
export type VacationNotice = NonNullable<ReturnType<typeof currentVacation>>

export const vacationDay = (day: string) => (isDay(day) ? formatIsoDay(day) : null)

const today = (now: number, timeZone: string) => dayAndTime(now, timeZone)[0]

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
  return { until: vacationDay(absence.awayUntil), text: absence.awayText }
}

type VacationServices = Pick<AppServices, 'db' | 'live' | 'now' | 'timeZone'>

export const getVacationCached = (
  app: Pick<AppServices, 'db' | 'live'>,
): Promise<VacationSettings> =>
  cached(app, ['settings'], 'vacation', () => readMessagingSettings(app.db))

export const readVacationNotice = async (app: VacationServices) =>
  currentVacation(await getVacationCached(app), app.now(), app.timeZone)

/**
 * Returns '… is away until …', or '' if the owner is not away. Her own message is left out, because
 * visitors must not see it. [S-185]
 */
export async function readAwayText(app: VacationServices) {
  const notice = await readVacationNotice(app)
  if (!notice) return ''
  const { ownerName, name } = await getSettingsCached(app)
  return awayText(ownerName || name, notice.until)
}
