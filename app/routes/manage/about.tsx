import { EditAboutPage } from '#app/features/about/edit-about-page.tsx'
import { handleAboutAction, readAboutEditor } from '#app/features/about/edit-about.action.server.ts'
import { editAboutTexts } from '#app/features/about/owner-texts.ts'
import type { PageTextsResult } from '#app/features/settings/page-texts.ts'
import { appContext, requestInfoContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import type { Route } from './+types/about'

export const meta: Route.MetaFunction = () => [{ title: editAboutTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readAboutEditor(context.get(appContext))

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const acted = await handleAboutAction(context.get(appContext), context.get(userContext)!.id, form)
  return respond<PageTextsResult>(context.get(requestInfoContext), form, acted.answer, acted.status)
}

export default function EditAbout({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <EditAboutPage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
