import { listColors } from '#catalog/catalog.server.ts'
import { colorActions } from '#colors/color.actions.server.ts'
import { readColorUses } from '#colors/edit-colors.server.ts'
import { EditColorsPage } from '#colors/edit-colors-page.tsx'
import { colorsTexts } from '#colors/texts.ts'
import { appContext } from '#services/context.ts'
import { ownerAction } from '#routes/action-response.server.ts'
import type { Route } from './+types/colors'

export const meta: Route.MetaFunction = () => [{ title: colorsTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  return { colors: await listColors(app.db), uses: await readColorUses(app) }
}

export const action = ownerAction(colorActions)

export default function Colors({ loaderData }: Route.ComponentProps) {
  return (
    <EditColorsPage
      colors={loaderData.colors}
      uses={loaderData.uses}
    />
  )
}
