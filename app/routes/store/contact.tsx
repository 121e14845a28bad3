import { data, useRouteLoaderData } from 'react-router'
import { checkContact } from '#app/features/contact/contact-input.ts'
import { ContactPage } from '#app/features/contact/contact-page.tsx'
import { sendContact } from '#app/features/contact/contact.server.ts'
import { contactTexts, tabOf } from '#app/features/contact/contact.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { defaultSettings } from '#app/features/settings/shop-settings.ts'
import { pageContext, shopContext } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { drawQr } from '#app/platform/qr.server.ts'
import type { loader as rootLoader } from '../../root.tsx'
import type { Route } from './+types/contact'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { facebookUrl, instagramUrl } = await readSettings(context.get(shopContext).db)
  return {
    tab: tabOf(new URL(request.url).searchParams.get('tab')),
    qr: { facebook: drawQr(facebookUrl), instagram: drawQr(instagramUrl) },
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const form = await readForm(request)
  const typed = { name: textOf(form, 'name'), email: textOf(form, 'email'), phone: textOf(form, 'phone'), message: textOf(form, 'message') }
  const refuse = (text: string, status: number, field?: string) =>
    data({ ok: false, toasts: [text], field, error: field && text, typed }, { status })
  const checked = checkContact(typed)
  if (!checked.ok) return refuse(checked.error, 422, checked.field)
  // A program that filled the trap is told that all went well.
  if (textOf(form, 'website') !== '') return data({ ok: true, toasts: [contactTexts.sent] })
  if (!(await shop.limits.allow('contact', context.get(pageContext).clientAddress))) return refuse(contactTexts.tooMany, 429)
  const done = await sendContact(shop, checked.contact)
  if (done === 'not-stored') return refuse(contactTexts.notStored, 500)
  if (done === 'not-sent') return refuse(contactTexts.notSent, 502)
  return data({ ok: true, toasts: [contactTexts.sent] })
}

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const settings = useRouteLoaderData<typeof rootLoader>('root')?.settings ?? defaultSettings
  return <ContactPage {...loaderData} settings={settings} answer={actionData} />
}
