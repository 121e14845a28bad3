import { href, redirect } from 'react-router'
import { markRead } from '#app/features/messaging/conversations.server.ts'
import { sendMessageForm } from '#app/features/messaging/conversation.action.server.ts'
import { NOT_SENT } from '#app/features/orders/order.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readMendedForm, textOf } from '#app/platform/form.server.ts'
import { tooMany, tooMuchAtOnce } from '#app/platform/rate-limits.server.ts'
import { answer } from '../answer.server.ts'
import { keptText } from '../kept-text.server.ts'
import { lostAnswer } from './lost-answer.ts'
import type { Route } from './+types/messages'

/**
 * Takes the messages of both sides. Who sends, and whose conversation it is, is taken from the session (ROLES-13); only the owner names one.
 * `writer` is who wrote the text, as the browser knows it: somebody else may have signed in while it waited.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const [shop, page, user] = [context.get(shopContext), context.get(pageContext), context.get(userContext)]
  const form = await readMendedForm(request)
  const refuse = (status: number, error?: string) =>
    keptText(form, error ?? NOT_SENT, status) ?? answer(page, form, { ok: false, field: 'message', error }, status)
  if (!user || (form.has('writer') && textOf(form, 'writer') !== user.id)) return refuse(403, NOT_SENT)
  const isOwner = user.role === 'admin'
  const orderId = isOwner ? textOf(form, 'orderId') : user.id
  if (textOf(form, 'intent') === 'read') {
    await attempt(shop.log, 'messages could not be marked as read', () => markRead(shop, user, orderId, Number(textOf(form, 'seq'))))
    return answer(page, form, { ok: true })
  }
  // An empty message may be sent (S-067), a form without one is none of the shop's.
  if (!form.has('message')) return answer(page, form, { ok: false, error: NOT_SENT }, 400)
  const seconds = isOwner ? 0 : await shop.limits.secondsToWait('message', { address: page.clientAddress, account: user.id })
  if (seconds > 0) return refuse(429, tooMany(page, seconds, tooMuchAtOnce).error)
  const done = await sendMessageForm(shop, user, orderId, form, page)
  // CHAT-14: a failed write is logged and raises no toast; the page keeps the text.
  return done.ok ? answer(page, form, { ok: true }) : refuse(done.status, done.error)
}

/** A lost connection is an answer too: the text stays, with "Try again". */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(lostAnswer({ ok: false, field: 'message' }))

export const loader = () => redirect(href('/'))
