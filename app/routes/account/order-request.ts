import { href, redirect } from 'react-router'
import { handleRequestForm } from '#orders/order-request.server.ts'
import { requestTexts } from '#orders/texts.ts'
import { parseFormLenient, formText } from '#lib/http/form-data.server.ts'
import { limitSending } from '#services/rate-limits.server.ts'
import { type ActionResult, refused } from '#ui/action-result.ts'
import { readForm } from '#routes/action-response.server.ts'
import { echoUnsentText } from '#routes/echo-unsent-text.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/order-request'

const failed = { toasts: [requestTexts.failed] }

export async function action(args: Route.ActionArgs) {
  const { app, auth, user, form, reply } = await readForm(args, parseFormLenient)
  const refuse = (status: number, answer: Omit<ActionResult, 'ok'>) => {
    const text = [...new Set([...(answer.toasts ?? []), answer.error])].join('\n').trim()
    const echo = formText(form, 'message') && echoUnsentText(form, text, status)
    return echo || reply(refused(status, answer))
  }
  if (!user) {
    return refuse(401, { toasts: [requestTexts.signedOut], error: requestTexts.signedOut })
  }
  if (form.has('writer') && formText(form, 'writer') !== user.id) return refuse(403, failed)
  const limit = await limitSending(auth, 'request', user.id, formText(form, 'message'))
  if (limit) return refuse(429, { ...failed, error: limit.error })
  const outcome = await handleRequestForm({ app, user }, form)
  return outcome.answer.ok ? reply(outcome) : refuse(outcome.status, outcome.answer)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(offlineActionResult({ ok: false, ...failed, error: requestTexts.unsent }))

export const loader = () => redirect(href('/'))
