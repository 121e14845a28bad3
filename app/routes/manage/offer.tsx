import { href, redirect } from 'react-router'
import { ownerOfferActions } from '#offers/offer.actions.server.ts'
import { handleOfferForm, readOfferFormDefaults } from '#offers/offer-form.server.ts'
import { type OfferFormResult, OfferPage } from '#offers/offer-form.tsx'
import { paymentActions } from '#payments/payments.server.ts'
import { ownerParcelActions } from '#parcels/parcel.actions.server.ts'
import { offerFormTexts } from '#offers/owner-texts.ts'
import { appContext } from '#services/context.ts'
import { handleForm } from '#lib/http/form-actions.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { readForm, respond, setFlash } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import type { Route } from './+types/offer'

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? offerFormTexts.title(loaderData.customer) : '' },
]

const messagesPath = (orderid: string) => href('/manage/messages/:orderid?', { orderid })

export async function loader({ params, context }: Route.LoaderArgs) {
  const defaults = await readOfferFormDefaults(context.get(appContext), params.orderid)
  if (!defaults) throw redirect(href('/manage/messages/:orderid?'))
  return defaults
}

const actions = { ...ownerOfferActions, ...paymentActions, ...ownerParcelActions }

export async function action({ params: { orderid: orderId }, ...args }: Route.ActionArgs) {
  const { app, info, user, form, reply } = await readForm(args)
  if (formText(form, 'intent') !== '') {
    return reply<OfferFormResult>(await handleForm(actions, { app, owner: user!, orderId }, form))
  }
  const outcome = await handleOfferForm(app, orderId, form)
  if (outcome.answer.values) return respond(outcome)
  setFlash(info, [offerFormTexts.sent])
  throw redirect(messagesPath(orderId))
}

export default function Offer({ loaderData, actionData }: Route.ComponentProps) {
  const { orderId, ...page } = loaderData
  return (
    <OfferPage
      key={orderId}
      {...page}
      orderPath={`${messagesPath(orderId)}?view=order`}
      answer={usePersistentActionData(actionData)}
    />
  )
}
