import { HistoryPage } from '#admin/history/history-page.tsx'
import { parseHistorySearch } from '#admin/history/history.ts'
import { readHistory } from '#admin/history/history.server.ts'
import { appContext } from '#services/context.ts'
import { historyTexts } from '#admin/history/texts.ts'
import type { Route } from './+types/history'

export const meta: Route.MetaFunction = () => [{ title: historyTexts.title }]

export const loader = ({ url, context }: Route.LoaderArgs) =>
  readHistory(context.get(appContext), parseHistorySearch(url.searchParams))

export default function History({ loaderData }: Route.ComponentProps) {
  return <HistoryPage {...loaderData} />
}
