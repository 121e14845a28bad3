import { readStatusNow } from '#app/features/admin/system-status/status.server.ts'
import { StatusPage } from '#app/features/admin/system-status/status-page.tsx'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/status'

export const loader = async ({ context }: Route.LoaderArgs) => ({ lines: await readStatusNow(context.get(shopContext)) })

export const meta: Route.MetaFunction = () => [{ title: 'How the shop is doing' }]

export default function Status({ loaderData }: Route.ComponentProps) {
  return <StatusPage {...loaderData} />
}
