import { href, redirect } from 'react-router'
import { handleCustomerOfferAction } from '#app/features/offers/offer.action.server.ts'
import { offerRefusals, offerResults } from '#app/features/offers/texts.ts'
import { refused } from '#app/ui/action-result.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { formText, parseFormLenient } from '#app/lib/http/form-data.server.ts'
import { echoUnsentText } from '#app/routes/echo-unsent-text.server.ts'
import { attemptsFor, tooManyRequests, tooMuchAtOnce } from '#app/services/rate-limits.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/offer'

/** Accepts an offer, requests a change, or stores the address of a parcel. Customers and guests may send this form. The owner receives no offers. [AGREE-04, AGREE-05] */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, user] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext),
  ]
  const form = await parseFormLenient(request)
  if (!user) return respond(info, form, { ok: false, error: offerResults.signedOut }, 401)
  // Each of these forms can write a message to the owner, so the rate limit of messages applies.
  const seconds = await app.rateLimits.secondsToWait(
    'message',
    { address: info.clientAddress, account: user.id },
    attemptsFor(formText(form, 'text')),
  )
  const { answer, status } =
    seconds > 0
      ? refused(429, { error: tooManyRequests(info, seconds, tooMuchAtOnce).error })
      : await handleCustomerOfferAction(app, user, form)
  // Without JavaScript, the response contains the texts of a refused form, because the browser would lose them. [AGREE-51]
  const typed = ['text', 'recipient', 'address']
    .map((name) => formText(form, name))
    .filter((text) => text !== '')
  const echo =
    answer.error && typed.length > 0
      ? echoUnsentText(form, answer.error, status, typed.join('\n'))
      : null
  return echo ?? respond(info, form, answer, status)
}

/** If the browser is offline, the card keeps the texts that the customer typed. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(offlineActionResult({ ok: false, error: offerRefusals.failed }))

export const loader = () => redirect(href('/'))
