import { vacationDay, vacationState, type VacationSettings } from '#settings/vacation.server.ts'
import { vacationTexts } from '../owner-texts.ts'

export function vacationStateText(absence: VacationSettings, now: number, timeZone: string) {
  const from = vacationDay(absence.awayFrom)
  const until = vacationDay(absence.awayUntil)
  const { none, planned, now: current, over } = vacationTexts.states
  return { none, planned: planned(from, until), now: current(until), over: over(until) }[
    vacationState(absence, now, timeZone)
  ]
}
