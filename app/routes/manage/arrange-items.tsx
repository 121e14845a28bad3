import { ArrangePage } from '#item-editor/arrange-page.tsx'
import { arrangementActions, readArrangement } from '#item-editor/arrange-items.server.ts'
import { arrangeTexts } from '#item-editor/texts.ts'
import { appContext } from '#services/context.ts'
import { ownerAction } from '#routes/action-response.server.ts'
import type { Route } from './+types/arrange-items'

export const meta: Route.MetaFunction = () => [{ title: arrangeTexts.title }]

export const loader = ({ url, context }: Route.LoaderArgs) =>
  readArrangement(context.get(appContext).db, url.searchParams.get('category'))

export const action = ownerAction(arrangementActions)

export default function ArrangeItems({ loaderData }: Route.ComponentProps) {
  return <ArrangePage {...loaderData} />
}
