import { href, redirect } from 'react-router'
import { customerOfferActions } from '#offers/offer.actions.server.ts'
import { customerParcelActions } from '#parcels/parcel.actions.server.ts'
import { offerResults } from '#offers/texts.ts'
import { refused } from '#ui/action-result.ts'
import { notSavedText } from '#ui/texts.ts'
import { handleForm } from '#lib/http/form-actions.server.ts'
import { formText, parseFormLenient } from '#lib/http/form-data.server.ts'
import { echoUnsentText } from '#routes/echo-unsent-text.server.ts'
import { limitSending } from '#services/rate-limits.server.ts'
import { readForm } from '#routes/action-response.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/offer'

const actions = { ...customerOfferActions, ...customerParcelActions }

export async function action(args: Route.ActionArgs) {
  const { app, auth, user, form, reply } = await readForm(args, parseFormLenient)
  if (!user) return reply(refused(401, { error: offerResults.signedOut }))
  // Limits each of these forms like a message, because each can write a message.
  const limit = await limitSending(auth, 'message', user.id, formText(form, 'text'))
  const outcome = limit
    ? refused(429, { error: limit.error })
    : await handleForm(actions, { app, user }, form)
  // Without JavaScript, a refusal would lose the typed texts.
  const typed = ['text', 'recipient', 'address']
    .map((name) => formText(form, name))
    .filter((text) => text !== '')
  const { error } = outcome.answer
  const echo =
    error && typed.length > 0 ? echoUnsentText(form, error, outcome.status, typed.join('\n')) : null
  return echo ?? reply(outcome)
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(offlineActionResult({ ok: false, error: notSavedText }))

export const loader = () => redirect(href('/'))
