import { HistoryPage } from '#app/features/admin/audit-log/history-page.tsx'
import { readHistorySearch } from '#app/features/admin/audit-log/history.ts'
import { readHistory } from '#app/features/admin/audit-log/history.server.ts'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/history'

export const meta: Route.MetaFunction = () => [{ title: 'History' }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readHistory(context.get(shopContext).db, readHistorySearch(new URL(request.url).searchParams))

export default function History({ loaderData, matches }: Route.ComponentProps) {
  return <HistoryPage {...loaderData} timeZone={matches[0].loaderData.timeZone} />
}
