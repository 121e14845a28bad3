import { href, redirect } from 'react-router'
import { handleMessageForm, handleReadForm } from '#messaging/message.actions.server.ts'
import { messageTexts } from '#conversation/texts.ts'
import { parseFormLenient, formText } from '#lib/http/form-data.server.ts'
import { limitSending } from '#services/rate-limits.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { refused } from '#ui/action-result.ts'
import { echoUnsentText } from '#routes/echo-unsent-text.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/messages'

export async function action(args: Route.ActionArgs) {
  const { app, info, auth, user, form, reply } = await readForm(args, parseFormLenient)
  const refuse = (status: number, error?: string) =>
    echoUnsentText(form, error ?? messageTexts.notSent, status) ??
    reply(refused(status, { field: 'message', ...(error && { error }) }))
  if (!user || (form.has('writer') && formText(form, 'writer') !== user.id)) {
    return refuse(403, messageTexts.notSent)
  }
  const isOwner = user.role === 'owner'
  const orderId = isOwner ? formText(form, 'orderId') : user.id
  if (formText(form, 'intent') === 'read') {
    return reply(await handleReadForm(app, user, orderId, form))
  }
  // An empty message is valid, but a form without the field is not.
  if (!form.has('message')) return reply(refused(400, { error: messageTexts.notSent }))
  const text = formText(form, 'message')
  const limit = isOwner ? null : await limitSending(auth, 'message', user.id, text)
  if (limit) return refuse(429, limit.error)
  const outcome = await handleMessageForm(app, user, orderId, form, info)
  return outcome.answer.ok ? reply(outcome) : refuse(outcome.status, outcome.answer.error)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(offlineActionResult({ ok: false, field: 'message' }))

export const loader = () => redirect(href('/'))
