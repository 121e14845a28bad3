import { href, redirect } from 'react-router'
import { requestOrder } from '#app/features/orders/orders.server.ts'
import { notForSaleTexts } from '#app/features/orders/not-for-sale-texts.ts'
import { messageTexts, requestTexts } from '#app/features/orders/texts.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm, formText } from '#app/lib/http/form-data.server.ts'
import { tooManyRequests, tooMuchAtOnce } from '#app/services/rate-limits.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { echoUnsentText } from '#app/routes/echo-unsent-text.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/order-request'

const failed = { ok: false, toasts: [requestTexts.failed] }
const statuses = { 'not-found': 404, 'not-for-sale': 409, owner: 403, 'too-long': 422, failed: 500 }

export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, user] = [context.get(appContext), context.get(requestInfoContext), context.get(userContext)]
  const form = await parseForm(request)
  const refuse = (status: number, result: ActionResult) =>
    (formText(form, 'message') && echoUnsentText(form, [...new Set([...(result.toasts ?? []), result.error])].join('\n').trim(), status)) ||
    respond(info, form, result, status)
  if (!user) return refuse(401, { ok: false, toasts: [requestTexts.signedOut], error: requestTexts.signedOut })
  // Another user may have signed in since the page was loaded.
  if (form.has('writer') && formText(form, 'writer') !== user.id) return refuse(403, failed)
  const seconds = await app.rateLimits.secondsToWait('request', { address: info.clientAddress, account: user.id })
  if (seconds > 0) return refuse(429, { ...failed, error: tooManyRequests(info, seconds, tooMuchAtOnce).error })
  const [itemId, message, messageId] = [formText(form, 'itemId'), formText(form, 'message'), formText(form, 'messageId')]
  const done = await tryWrite(app.log, 'an order request failed', () => requestOrder(app, user, { itemId, message, messageId }))
  if (done.ok) return respond(info, form, { ok: true, toasts: [requestTexts.sent] })
  if (done.refusal === 'not-for-sale') return refuse(409, { ...failed, error: notForSaleTexts.refused })
  return refuse(statuses[done.refusal], done.refusal === 'too-long' ? { ...failed, field: 'message', error: messageTexts.tooLong } : failed)
}

/** Offline, the text stays. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(offlineActionResult({ ...failed }))

export const loader = () => redirect(href('/'))
