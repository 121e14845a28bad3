import { ArrangePage } from '#app/features/item-editor/arrange-page.tsx'
import {
  handleArrangement,
  readArrangement,
} from '#app/features/item-editor/arrange-items.server.ts'
import { arrangeTexts } from '#app/features/item-editor/arrange-texts.ts'
import { requestInfoContext, appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { respond } from '#app/routes/action-response.server.ts'
import type { Route } from './+types/arrange-items'

export const meta: Route.MetaFunction = () => [{ title: arrangeTexts.title }]

export const loader = ({ url, context }: Route.LoaderArgs) =>
  readArrangement(context.get(appContext).db, url.searchParams.get('category'))

export async function action({ request, context }: Route.ActionArgs) {
  const form = await parseForm(request)
  const { answer, status } = await handleArrangement(
    context.get(appContext),
    context.get(userContext)?.id ?? '',
    form,
  )
  return respond(context.get(requestInfoContext), form, answer, status)
}

export default function ArrangeItems({ loaderData }: Route.ComponentProps) {
  return <ArrangePage {...loaderData} />
}
