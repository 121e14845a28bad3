import { data } from 'react-router'
import { handleBackupsAction, readBackups } from '#app/features/backups/backups.server.ts'
import { BackupsPage } from '#app/features/backups/backups-page.tsx'
import { backupsTexts } from '#app/features/backups/texts.ts'
import { appContext, userContext } from '#app/services/context.ts'
import { parseForm } from '#app/lib/http/form-data.server.ts'
import { usePersistentActionData } from '#app/ui/use-persistent-action-data.ts'
import { revalidateUnlessOffline } from '#app/ui/action-result.ts'
import type { Route } from './+types/backups'

export const meta: Route.MetaFunction = () => [{ title: backupsTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  return { ...(await readBackups(app)), keep: app.backup.keep }
}

export async function action({ request, context }: Route.ActionArgs) {
  const acted = await handleBackupsAction(
    context.get(appContext),
    context.get(userContext)!.id,
    await parseForm(request),
  )
  return data(acted.answer, { status: acted.status })
}

export const shouldRevalidate = revalidateUnlessOffline

export default function Backups({ loaderData, actionData, matches }: Route.ComponentProps) {
  return (
    <BackupsPage
      {...loaderData}
      timeZone={matches[0].loaderData.timeZone}
      answer={usePersistentActionData(actionData)}
    />
  )
}
