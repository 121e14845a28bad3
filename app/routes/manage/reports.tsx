import { readReportsPage } from '#reports/reports.server.ts'
import { ReportsPage } from '#reports/reports-page.tsx'
import { appContext } from '#services/context.ts'
import { reportsTexts } from '#reports/texts.ts'
import type { Route } from './+types/reports'

export const meta: Route.MetaFunction = () => [{ title: reportsTexts.title }]

export const loader = ({ url, context }: Route.LoaderArgs) =>
  readReportsPage(context.get(appContext), url)

export default function Reports({ loaderData }: Route.ComponentProps) {
  return <ReportsPage {...loaderData} />
}
