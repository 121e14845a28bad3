import { EditAboutPage } from '#about/edit-about-page.tsx'
import { aboutActions, readAboutEditor } from '#about/about.server.ts'
import { editAboutTexts } from '#about/owner-texts.ts'
import { appContext } from '#services/context.ts'
import { ownerAction } from '#routes/action-response.server.ts'
import { usePersistentActionData } from '#ui/use-persistent-action-data.ts'
import type { Route } from './+types/about'

export const meta: Route.MetaFunction = () => [{ title: editAboutTexts.title }]

export const loader = ({ context }: Route.LoaderArgs) => readAboutEditor(context.get(appContext))

export const action = ownerAction(aboutActions)

export default function EditAbout({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <EditAboutPage
      {...loaderData}
      answer={usePersistentActionData(actionData)}
    />
  )
}
