import { readStatusNow } from '#app/features/admin/system-status/status.server.ts'
import { StatusPage } from '#app/features/admin/system-status/status-page.tsx'
import { appContext } from '#app/services/context.ts'
import { statusTexts } from '#app/features/admin/system-status/texts.ts'
import type { Route } from './+types/status'

export const loader = async ({ context }: Route.LoaderArgs) => ({
  lines: await readStatusNow(context.get(appContext)),
})

export const meta: Route.MetaFunction = () => [{ title: statusTexts.title }]

export default function Status({ loaderData }: Route.ComponentProps) {
  return <StatusPage {...loaderData} />
}
