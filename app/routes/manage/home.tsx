import { EditHomePage } from '#home/edit-home-page.tsx'
import { homeActions, readHomeEditor } from '#home/home.actions.server.ts'
import { editHomeTexts } from '#home/owner-texts.ts'
import { appContext } from '#services/context.ts'
import { ownerAction } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import type { Route } from './+types/home'

export const meta: Route.MetaFunction = () => [{ title: editHomeTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readHomeEditor(context.get(appContext))

export const action = ownerAction(homeActions)

export default function EditHome({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <EditHomePage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
