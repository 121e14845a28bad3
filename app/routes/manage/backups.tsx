import { backupActions, readBackups } from '#backups/backups.server.ts'
import { BackupsPage } from '#backups/backups-page.tsx'
import { backupsTexts } from '#backups/texts.ts'
import { appContext } from '#services/context.ts'
import { handleForm } from '#lib/http/form-actions.server.ts'
import { readForm, respond } from '#routes/action-response.server.ts'
import { revalidateUnlessOffline } from '#ui/action-result.ts'
import type { Route } from './+types/backups'

export const meta: Route.MetaFunction = () => [{ title: backupsTexts.title }]

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  return { ...(await readBackups(app)), keep: app.backup.keep }
}

export async function action(args: Route.ActionArgs) {
  const { app, user, form } = await readForm(args)
  return respond(await handleForm(backupActions, { app, actor: user!.id }, form))
}

export const shouldRevalidate = revalidateUnlessOffline

export default function Backups({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <BackupsPage
      {...loaderData}
      answer={actionData}
    />
  )
}
