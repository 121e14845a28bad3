import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { dayAndTime, isDay } from '#app/ui/format-date.ts'
import { holdDay } from '#app/features/catalog/availability.ts'
import { endOfDay } from '#app/features/sales/period.ts'
import { MAX_HOLD_DAYS } from './hold.ts'
import { changeHold, type HoldRefusal, type HoldResult } from './holds.server.ts'
import { holdErrors, holdTexts } from './owner-texts.ts'

/** Handles the forms in the order panel that hold or release an item. Returns null for forms about anything else. */
export async function handleHoldAction(
  app: AppServices,
  orderId: string,
  form: FormData,
): Promise<ActionOutcome | null> {
  const [intent, itemId] = [formText(form, 'intent'), formText(form, 'itemId')]
  if (intent === 'release')
    return answer(app, await changeHold(app, orderId, itemId, null), holdTexts.released)
  if (intent !== 'hold') return null
  const day = formText(form, 'until').trim()
  const error = dayError(app, day)
  if (error !== null) return refused(422, { field: 'until', error })
  return answer(
    app,
    await changeHold(app, orderId, itemId, endOfDay(day, app.timeZone)),
    holdTexts.held,
  )
}

function dayError(
  { now, timeZone }: Pick<AppServices, 'now' | 'timeZone'>,
  day: string,
): string | null {
  const [today] = dayAndTime(now(), timeZone)
  const [latest] = dayAndTime(now() + MAX_HOLD_DAYS * 86_400_000, timeZone)
  if (!isDay(day)) return holdErrors.badDay
  if (day < today) return holdErrors.pastDay
  return day > latest ? holdErrors.lateDay : null
}

function answer(app: AppServices, result: HoldResult, text: string): ActionOutcome {
  if (result.ok) return done(text)
  const { refusal } = result
  if (typeof refusal !== 'string')
    return refused(409, { field: 'until', error: holdRefusalText(app, refusal) })
  return refused(refusal === 'failed' ? 500 : 404, { field: 'until', error: holdErrors[refusal] })
}

/** Returns the reason why an item cannot be held, for example that it is on hold for another customer. Only the owner may read this text, because it names the other customer. */
export function holdRefusalText(
  { now, timeZone }: Pick<AppServices, 'now' | 'timeZone'>,
  refusal: HoldRefusal,
): string {
  const { reason, item } = refusal
  if (reason === 'held')
    return holdErrors.held(item, refusal.holder, holdDay(refusal.until, now(), timeZone))
  return reason === 'sold' ? holdErrors.sold(item) : holdErrors[reason]
}
