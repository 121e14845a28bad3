import { data } from 'react-router'
import { ContactPage } from '#app/features/contact/contact-page.tsx'
import { handleContactAction } from '#app/features/contact/contact.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { pageContext, shopContext } from '#app/platform/context.ts'
import { readMendedForm } from '#app/platform/form.server.ts'
import { drawQr } from '#app/platform/qr.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import type { Route } from './+types/contact'

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  const settings = await readSettings(shop.db)
  return {
    settings,
    qr: { facebook: drawQr(settings.facebookUrl), instagram: drawQr(settings.instagramUrl) },
    stamp: await shop.formTime.stamp(shop.now()),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readMendedForm(request)
  const { answer, status } = await handleContactAction(context.get(shopContext), context.get(pageContext), form)
  return data(answer, { status })
}

export const handle = { hasFooter: true }

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  return <ContactPage {...loaderData} answer={useKeptAnswer(actionData)} />
}
