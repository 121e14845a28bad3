import { href, redirect } from 'react-router'
import { requestOrder } from '#app/features/orders/orders.server.ts'
import { REQUEST_FAILED, REQUEST_SENT, REQUEST_SIGNED_OUT, TOO_LONG } from '#app/features/orders/order.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { tooMany, tooMuchAtOnce } from '#app/platform/rate-limits.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import { keptText } from '../kept-text.server.ts'
import { lostAnswer } from './lost-answer.ts'
import type { Route } from './+types/order-request'

const failed = { ok: false, toasts: [REQUEST_FAILED] }
const statuses = { 'not-found': 404, owner: 403, 'too-long': 422, failed: 500 }

/** ITEM-27 to ITEM-35, ROLES-07 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)]
  const form = await readForm(request)
  const refuse = (status: number, told: Answer) =>
    (textOf(form, 'message') && keptText(form, [...new Set([...(told.toasts ?? []), told.error])].join('\n').trim(), status)) ||
    answer(page, form, told, status)
  if (!user) return refuse(401, { ok: false, toasts: [REQUEST_SIGNED_OUT], error: REQUEST_SIGNED_OUT })
  // 024: somebody else may have signed in since the page was made; nobody asks in her name.
  if (form.has('writer') && textOf(form, 'writer') !== user.id) return refuse(403, failed)
  const seconds = await shop.limits.secondsToWait('request', { address: page.clientAddress, account: user.id })
  if (seconds > 0) return refuse(429, { ...failed, error: tooMany(page, seconds, tooMuchAtOnce).error })
  const [itemId, message, messageId] = [textOf(form, 'itemId'), textOf(form, 'message'), textOf(form, 'messageId')]
  const done = await attempt(shop.log, 'an order request failed', () => requestOrder(shop, user, { itemId, message, messageId }))
  if (done.ok) return answer(page, form, { ok: true, toasts: [REQUEST_SENT] })
  return refuse(statuses[done.refusal], done.refusal === 'too-long' ? { ...failed, field: 'message', error: TOO_LONG } : failed)
}

/** A lost connection is an answer too: the text stays where it was typed. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(lostAnswer({ ...failed }))

export const loader = () => redirect(href('/'))
