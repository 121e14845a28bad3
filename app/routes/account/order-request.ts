import { href, redirect } from 'react-router'
import { requestOrder } from '#app/features/orders/orders.server.ts'
import { notForSaleTexts } from '#app/features/orders/not-for-sale-texts.ts'
import { messageTexts, requestTexts } from '#app/features/orders/texts.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseName } from '#app/lib/auth/person-name.ts'
import { parseFormLenient, formText } from '#app/lib/http/form-data.server.ts'
import { attemptsFor, tooManyRequests, tooMuchAtOnce } from '#app/services/rate-limits.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { echoUnsentText } from '#app/routes/echo-unsent-text.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/order-request'

const failed = { ok: false, toasts: [requestTexts.failed] }
const statuses = {
  'not-found': 404,
  'not-for-sale': 409,
  'no-color': 422,
  owner: 403,
  'too-long': 422,
  failed: 500,
}
/** These refusals of an order request show an error next to a field. All other refusals show only a toast. */
const errors: Record<string, Pick<ActionResult, 'field' | 'error'>> = {
  'not-found': { field: 'message', error: requestTexts.noItem },
  'not-for-sale': { field: 'message', error: notForSaleTexts.refused },
  'no-color': { field: 'color', error: requestTexts.noColor },
  'too-long': { field: 'message', error: messageTexts.tooLong },
}

export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, user] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext),
  ]
  const form = await parseFormLenient(request)
  const refuse = (status: number, result: ActionResult) =>
    (formText(form, 'message') &&
      echoUnsentText(
        form,
        [...new Set([...(result.toasts ?? []), result.error])].join('\n').trim(),
        status,
      )) ||
    respond(info, form, result, status)
  if (!user)
    return refuse(401, {
      ok: false,
      toasts: [requestTexts.signedOut],
      error: requestTexts.signedOut,
    })
  // Another user may have signed in since the page was loaded.
  if (form.has('writer') && formText(form, 'writer') !== user.id) return refuse(403, failed)
  const who = { address: info.clientAddress, account: user.id }
  const seconds = await app.rateLimits.secondsToWait(
    'request',
    who,
    attemptsFor(formText(form, 'message')),
  )
  if (seconds > 0)
    return refuse(429, { ...failed, error: tooManyRequests(info, seconds, tooMuchAtOnce).error })
  const [itemId, colorId] = [formText(form, 'itemId'), formText(form, 'color')]
  const [message, messageId] = [formText(form, 'message'), formText(form, 'messageId')]
  const name = parseName(formText(form, 'name'))
  if (name === null) return refuse(422, { ...failed, field: 'name', error: requestTexts.longName })
  const asked = { itemId, colorId, message, messageId, name }
  const done = await tryWrite(app.log, 'an order request failed', () =>
    requestOrder(app, user, asked),
  )
  if (done.ok) return respond(info, form, { ok: true, toasts: [requestTexts.sent] })
  return refuse(statuses[done.refusal], { ...failed, ...errors[done.refusal] })
}

/** If the browser is offline, the page keeps the typed text, and shows that it was not sent. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(offlineActionResult({ ...failed, error: requestTexts.unsent }))

export const loader = () => redirect(href('/'))
