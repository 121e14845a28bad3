import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { dayAndTime, isDay } from '#app/ui/format-date.ts'
import { paymentRefusals, paymentResults as texts } from './owner-texts.ts'
import { isUndo, type PaymentAction, PAYMENT_METHODS } from './payment.ts'
import { changePayment } from './payments.server.ts'

const statuses: Record<string, number> = { 'not-found': 404, failed: 500 }

/** Handles the owner's form about a payment. The form contains no amount, because the server computes it from the offer. [AGREE-45] */
export async function handlePaymentAction(
  app: AppServices,
  orderId: string,
  action: PaymentAction,
  form: FormData,
): Promise<ActionOutcome> {
  const [today] = dayAndTime(app.now(), app.timeZone)
  const paidOn = formText(form, 'paidOn').trim() || today
  const method = PAYMENT_METHODS.find((one) => one === formText(form, 'method'))
  if (isUndo(action)) {
    if (formText(form, 'confirm') !== 'Yes') return refused(400, { toasts: [texts.notConfirmed] })
  } else {
    const errors = {
      ...(!isDay(paidOn)
        ? { paidOn: texts.badDay }
        : paidOn > today && { paidOn: texts.futureDay }),
      ...(!method && { method: texts.badMethod }),
    }
    if (Object.keys(errors).length > 0) return refused(422, { errors })
  }
  const details = {
    position: Number(formText(form, 'position')),
    paidOn,
    method: method ?? 'other',
  }
  const result = await changePayment(
    app,
    { orderId, offerId: formText(form, 'offerId') },
    action,
    details,
  )
  if (result.ok) return done(isUndo(action) ? texts.takenBack : texts.marked)
  return refused(statuses[result.refusal] ?? 409, { error: paymentRefusals[result.refusal] })
}
