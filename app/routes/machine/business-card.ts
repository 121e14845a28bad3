import { vcardOf } from '#app/features/contact/contact.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { pageContext, shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/business-card'

/** CONTACT-06: the card for a telephone. */
export async function loader({ context }: Route.LoaderArgs) {
  const settings = await readSettings(context.get(shopContext).db)
  return new Response(vcardOf(settings, `${context.get(pageContext).origin}/`), {
    headers: { 'Content-Type': 'text/vcard; charset=utf-8', 'Content-Disposition': 'attachment; filename="business-card.vcf"' },
  })
}
