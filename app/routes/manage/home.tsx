import { EditHomePage } from '#app/features/home/edit-home-page.tsx'
import { handleHomeAction, readHomeEditor } from '#app/features/home/edit-home.action.server.ts'
import { editHomeTexts } from '#app/features/home/owner-texts.ts'
import type { PageTextsResult } from '#app/features/settings/page-texts.ts'
import { appContext, requestInfoContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/home'

export const meta: Route.MetaFunction = () => [{ title: editHomeTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readHomeEditor(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const acted = await handleHomeAction(context.get(appContext), context.get(userContext)!.id, form)
  return respond<PageTextsResult>(context.get(requestInfoContext), form, acted.answer, acted.status)
}

export default function EditHome({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <EditHomePage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
