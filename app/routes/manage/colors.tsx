import { listColors } from '#app/features/catalog/catalog.server.ts'
import { handleColorAction, readColorUses } from '#app/features/colors/edit-colors.server.ts'
import { EditColorsPage } from '#app/features/colors/edit-colors-page.tsx'
import { pageContext, shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import { refused } from '#app/ui/answer.ts'
import type { Route } from './+types/colors'

export const meta: Route.MetaFunction = () => [{ title: 'Colors' }]

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  return { colors: await listColors(shop.db), uses: await readColorUses(shop) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const shop = context.get(shopContext)
  const form = await readForm(request)
  const acted = await handleColorAction(shop, context.get(userContext)?.id ?? '', form).catch((error: unknown) => {
    // COLOR-18: only logged.
    shop.log.error('a color could not be written', error)
    return refused(500)
  })
  return answer(context.get(pageContext), form, acted.answer, acted.status)
}

export default function Colors({ loaderData }: Route.ComponentProps) {
  return <EditColorsPage colors={loaderData.colors} uses={loaderData.uses} />
}
