import { listColors } from '#app/features/catalog/catalog.server.ts'
import { handleColorAction, readColorUses } from '#app/features/colors/edit-colors.server.ts'
import { EditColorsPage } from '#app/features/colors/edit-colors-page.tsx'
import { colorsTexts } from '#app/features/colors/texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { refused } from '#app/ui/action-result.ts'
import type { Route } from './+types/colors'

export const meta: Route.MetaFunction = () => [{ title: colorsTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  return { colors: await listColors(app.db), uses: await readColorUses(app) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext)
  const form = await parseForm(request)
  const acted = await handleColorAction(app, context.get(userContext)?.id ?? '', form).catch(
    (error: unknown) => {
      // The error is only logged, and the page shows no message. [COLOR-18]
      app.log.error('a color could not be written', error)
      return refused(500)
    },
  )
  return respond(context.get(requestInfoContext), form, acted.answer, acted.status)
}

export default function Colors({ loaderData }: Route.ComponentProps) {
  return (
    <EditColorsPage
      colors={loaderData.colors}
      uses={loaderData.uses}
    />
  )
}
