import { ContactPage } from '#contact/contact-page.tsx'
import { handleContactAction } from '#contact/contact.server.ts'
import { getSettingsCached } from '#settings/settings.server.ts'
import { readAwayText } from '#settings/vacation.server.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import { appContext } from '#services/context.ts'
import { parseFormLenient } from '#lib/http/form-data.server.ts'
import { drawQr } from '#ui/qr-code.server.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import type { Route } from './+types/contact'

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const settings = await getSettingsCached(app)
  const { facebook, instagram } = settings
  const draw = async () => ({
    facebook: facebook ? drawQr(facebook) : null,
    instagram: instagram ? drawQr(instagram) : null,
  })
  return {
    settings,
    qr: await cached(app, ['settings'], `QR codes ${facebook} ${instagram}`, draw),
    away: await readAwayText(app),
    stamp: await app.formTimestamp.stamp(app.now()),
  }
}

export async function action(args: Route.ActionArgs) {
  const { app, info, form } = await readForm(args, parseFormLenient)
  return respond(await handleContactAction(app, info, form))
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
