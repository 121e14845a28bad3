import { data } from 'react-router'
import { ContactPage } from '#app/features/contact/contact-page.tsx'
import { handleContactAction } from '#app/features/contact/contact.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import { parseFormLenient } from '#app/lib/http/form-data.server.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/contact'

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const settings = await readSettings(app.db)
  return {
    settings,
    qr: {
      facebook: settings.facebook ? drawQr(settings.facebook) : null,
      instagram: settings.instagram ? drawQr(settings.instagram) : null,
    },
    stamp: await app.formTimestamp.stamp(app.now()),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseFormLenient(request)
  const { answer, status } = await handleContactAction(context.get(appContext), context.get(requestInfoContext), form)
  return data(answer, { status })
}

export const handle = { hasFooter: true }

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  return <ContactPage {...loaderData} answer={usePersistentActionData(actionData)} />
}
