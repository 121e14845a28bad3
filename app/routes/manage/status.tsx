import { readStatusNow } from '#admin/status/status.server.ts'
import { StatusPage } from '#admin/status/status-page.tsx'
import { appContext } from '#services/context.ts'
import { statusTexts } from '#admin/status/texts.ts'
import type { Route } from './+types/status'

export const loader = async ({ context }: Route.LoaderArgs) => ({
  lines: await readStatusNow(context.get(appContext)),
})

export const meta: Route.MetaFunction = () => [{ title: statusTexts.title }]

export default function Status({ loaderData }: Route.ComponentProps) {
  return <StatusPage {...loaderData} />
}
