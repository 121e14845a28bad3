import { data } from 'react-router'
import { ContactPage } from '#app/features/contact/contact-page.tsx'
import { handleContactAction } from '#app/features/contact/contact.server.ts'
import { getSettingsCached } from '#app/features/settings/settings.server.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import { requestInfoContext, appContext } from '#app/services/context.ts'
import { parseFormLenient } from '#app/lib/http/form-data.server.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/contact'

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const settings = await getSettingsCached(app)
  const { facebook, instagram } = settings
  // Drawing the QR codes takes as long as the rest of the page.
  const draw = async () => ({
    facebook: facebook ? drawQr(facebook) : null,
    instagram: instagram ? drawQr(instagram) : null,
  })
  return {
    settings,
    qr: await cached(app, ['settings'], `QR codes ${facebook} ${instagram}`, draw),
    stamp: await app.formTimestamp.stamp(app.now()),
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseFormLenient(request)
  const { answer, status } = await handleContactAction(
    context.get(appContext),
    context.get(requestInfoContext),
    form,
  )
  return data(answer, { status })
}

export const handle = { hasFooter: true }

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ContactPage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
