import { data } from 'react-router'
import { handleBackupsAction, readBackups } from '#app/features/backups/backups.server.ts'
import { BackupsPage } from '#app/features/backups/backups-page.tsx'
import { shopContext, userContext } from '#app/platform/context.ts'
import { readForm } from '#app/platform/form.server.ts'
import { useKeptAnswer } from '#app/ui/use-kept-answer.ts'
import { readsAgain } from '#app/ui/answer.ts'
import type { Route } from './+types/backups'

export const meta: Route.MetaFunction = () => [{ title: 'Backups' }]

export async function loader({ context }: Route.LoaderArgs) {
  const shop = context.get(shopContext)
  return { ...(await readBackups(shop)), keep: shop.backup.keep }
}

export async function action({ request, context }: Route.ActionArgs) {
  const acted = await handleBackupsAction(context.get(shopContext), context.get(userContext)!.id, await readForm(request))
  return data(acted.answer, { status: acted.status })
}

/** A refused act, too, reads again what is there. */
export const shouldRevalidate = readsAgain

export default function Backups({ loaderData, actionData, matches }: Route.ComponentProps) {
  return <BackupsPage {...loaderData} timeZone={matches[0].loaderData.timeZone} answer={useKeptAnswer(actionData)} />
}
