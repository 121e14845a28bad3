import { href, redirect } from 'react-router'
import { handleCustomerOfferAction } from '#app/features/offers/offer.action.server.ts'
import { offerRefusals, offerResults } from '#app/features/offers/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseFormLenient } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { offlineActionResult } from './offline-action-result.ts'
import type { Route } from './+types/offer'

/** Accepts an offer or asks for a change. Customers and guests may send this form; the owner has no offers of her own. [AGREE-04, AGREE-05] */
export async function action({ request, context }: Route.ActionArgs) {
  const [app, info, user] = [context.get(appContext), context.get(requestInfoContext), context.get(userContext)]
  const form = await parseFormLenient(request)
  if (!user) return respond(info, form, { ok: false, error: offerResults.signedOut }, 401)
  const { answer, status } = await handleCustomerOfferAction(app, user, form)
  return respond(info, form, answer, status)
}

/** If the browser is offline, the card keeps the typed text. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(offlineActionResult({ ok: false, error: offerRefusals.failed }))

export const loader = () => redirect(href('/'))
