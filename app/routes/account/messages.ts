import { href, redirect } from 'react-router'
import { markRead } from '#app/features/messaging/conversations.server.ts'
import { sendMessageForm } from '#app/features/messaging/conversation.action.server.ts'
import { messageTexts } from '#app/features/orders/texts.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseFormLenient, formText } from '#app/lib/http/form-data.server.ts'
import { attemptsFor, tooManyRequests, tooMuchAtOnce } from '#app/services/rate-limits.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { echoUnsentText } from '#app/routes/echo-unsent-text.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/messages'

/**
 * Stores a message of a customer, a guest or the owner. The login session determines the sender. Only the owner's form names the conversation. [ROLES-13]
 * The form's field `writer` is the id of the user who typed the text. The message is refused if another user has signed in since then.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, user] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext),
  ]
  const form = await parseFormLenient(request)
  const refuse = (status: number, error?: string) =>
    echoUnsentText(form, error ?? messageTexts.notSent, status) ??
    respond(info, form, { ok: false, field: 'message', error }, status)
  if (!user || (form.has('writer') && formText(form, 'writer') !== user.id))
    return refuse(403, messageTexts.notSent)
  const isOwner = user.role === 'admin'
  const orderId = isOwner ? formText(form, 'orderId') : user.id
  if (formText(form, 'intent') === 'read') {
    await tryWrite(app.log, 'messages could not be marked as read', () =>
      markRead(app, user, orderId, Number(formText(form, 'seq'))),
    )
    return respond(info, form, { ok: true })
  }
  // An empty message is valid, but a form without the field `message` is refused. [S-067]
  if (!form.has('message'))
    return respond(info, form, { ok: false, error: messageTexts.notSent }, 400)
  const who = { address: info.clientAddress, account: user.id }
  const seconds = isOwner
    ? 0
    : await app.rateLimits.secondsToWait('message', who, attemptsFor(formText(form, 'message')))
  if (seconds > 0) return refuse(429, tooManyRequests(info, seconds, tooMuchAtOnce).error)
  const done = await sendMessageForm(app, user, orderId, form, info)
  // If the message could not be stored, the error is logged, no toast is shown, and the page keeps the text. [CHAT-14]
  return done.ok ? respond(info, form, { ok: true }) : refuse(done.status, done.error)
}

/** If the browser is offline, the page keeps the typed text and shows the button "Try again". */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(offlineActionResult({ ok: false, field: 'message' }))

export const loader = () => redirect(href('/'))
