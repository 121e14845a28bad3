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

const refusals: Record<'not-found' | 'owner' | 'too-long' | 'failed', [Answer, number]> = {
  'not-found': [{ ok: false, toasts: [REQUEST_FAILED] }, 404],
  owner: [{ ok: false, toasts: [REQUEST_FAILED] }, 403],
  'too-long': [{ ok: false, toasts: [REQUEST_FAILED], field: 'message', error: TOO_LONG }, 422],
  failed: [{ ok: false, toasts: [REQUEST_FAILED] }, 500],
}

/** ITEM-27 to ITEM-35, ROLES-07 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)]
  const form = await readForm(request)
  if (!user)
    return (
      (textOf(form, 'message') && keptText(form, REQUEST_SIGNED_OUT, 401)) ||
      answer(page, form, { ok: false, toasts: [REQUEST_SIGNED_OUT], error: REQUEST_SIGNED_OUT }, 401)
    )
  // 024: somebody else may have signed in since the page was made; nobody asks in her name.
  if (form.has('writer') && textOf(form, 'writer') !== user.id)
    return keptText(form, REQUEST_FAILED, 403) ?? answer(page, form, { ok: false, toasts: [REQUEST_FAILED] }, 403)
  const seconds = await shop.limits.secondsToWait('request', { address: page.clientAddress, account: user.id })
  if (seconds > 0) {
    const { error } = tooMany(page, seconds, tooMuchAtOnce)
    return keptText(form, error, 429) ?? answer(page, form, { ok: false, toasts: [REQUEST_FAILED], error }, 429)
  }
  const [itemId, message, messageId] = [textOf(form, 'itemId'), textOf(form, 'message'), textOf(form, 'messageId')]
  const done = await attempt(shop.log, 'an order request failed', () => requestOrder(shop, user, { itemId, message, messageId }))
  if (done.ok) return answer(page, form, { ok: true, toasts: [REQUEST_SENT] })
  const [refusal, status] = refusals[done.refusal]
  return keptText(form, [REQUEST_FAILED, refusal.error].join('\n'), status) ?? answer(page, form, refusal, status)
}

/** A lost connection is an answer too: the text stays where it was typed. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(lostAnswer({ ok: false, toasts: [REQUEST_FAILED] }))

export const loader = () => redirect(href('/'))
