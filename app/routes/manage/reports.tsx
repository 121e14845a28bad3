import { readReportsPage } from '#app/features/reports/reports.server.ts'
import { ReportsPage } from '#app/features/reports/reports-page.tsx'
import { appContext } from '#app/services/context.ts'
import { reportsTexts } from '#app/features/reports/texts.ts'
import type { Route } from './+types/reports'

export const meta: Route.MetaFunction = () => [{ title: reportsTexts.title }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readReportsPage(context.get(appContext), new URL(request.url))

export default function Reports({ loaderData }: Route.ComponentProps) {
  return <ReportsPage {...loaderData} />
}
