import { data, href, redirect } from 'react-router'
import { markRead } from '#app/features/conversations/conversations.server.ts'
import { sendMessageForm } from '#app/features/conversations/send-message-form.server.ts'
import { NOT_SENT } from '#app/features/orders/order-texts.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readMendedForm, textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { tooMuchAtOnce } from '#app/platform/wait-text.ts'
import type { Answer } from '#app/ui/answer.ts'
import { answer } from '../answer.server.ts'
import { keptText } from '../kept-text.server.ts'
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
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return data<Answer>({ ok: false, field: 'message' }, { status: 503 })
  })
}

export const loader = () => redirect(href('/'))
