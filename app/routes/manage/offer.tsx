import { data, href, redirect } from 'react-router'
import {
  handleOfferForm,
  handleOwnerOfferAction,
  readOfferFormDefaults,
} from '#app/features/offers/offer.action.server.ts'
import { type OfferFormResult, OfferPage } from '#app/features/offers/offer-form.tsx'
import { offerFormTexts } from '#app/features/offers/owner-texts.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import { formText, parseForm } from '#app/lib/http/form-data.server.ts'
import { respond, setFlash } from '#app/routes/action-response.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/offer'

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? offerFormTexts.title(loaderData.customer) : '' },
]

const messagesPath = (orderid: string) => href('/manage/messages/:orderid?', { orderid })

/** Redirects the owner to the list of conversations if this conversation cannot get an offer. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const defaults = await readOfferFormDefaults(context.get(appContext), params.orderid)
  if (!defaults) throw redirect(href('/manage/messages/:orderid?'))
  return defaults
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [app, info] = [context.get(appContext), context.get(requestInfoContext)]
  const form = await parseForm(request)
  if (formText(form, 'intent') !== '') {
    const { answer, status } = await handleOwnerOfferAction(app, params.orderid, form)
    return respond<OfferFormResult>(info, form, answer, status)
  }
  const { answer, status } = await handleOfferForm(app, params.orderid, form)
  if (!answer.ok) return data(answer, { status })
  setFlash(info, [offerFormTexts.sent])
  throw redirect(messagesPath(params.orderid))
}

export default function Offer({ loaderData, actionData }: Route.ComponentProps) {
  const { orderId, ...shown } = loaderData
  const answer = usePersistentActionData(actionData)
  return (
    <OfferPage
      key={orderId}
      {...shown}
      orderPath={`${messagesPath(orderId)}?view=order`}
      answer={answer}
    />
  )
}
