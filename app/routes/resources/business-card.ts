import { vcardOf } from '#contact/contact.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { requestInfoContext, appContext } from '#services/context.ts'
import type { Route } from './+types/business-card'

export async function loader({ context }: Route.LoaderArgs) {
  const settings = await readSettings(context.get(appContext).db)
  return new Response(vcardOf(settings, `${context.get(requestInfoContext).origin}/`), {
    headers: {
      'Content-Type': 'text/vcard; charset=utf-8',
      'Content-Disposition': 'attachment; filename="business-card.vcf"',
    },
  })
}
