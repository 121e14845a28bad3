import { readReportsPage } from '#app/features/reports/reports.server.ts'
import { ReportsPage } from '#app/features/reports/reports-page.tsx'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/reports'

export const meta: Route.MetaFunction = () => [{ title: 'Reports' }]

export const loader = ({ request, context }: Route.LoaderArgs) => readReportsPage(context.get(shopContext), new URL(request.url))

export default function Reports({ loaderData }: Route.ComponentProps) {
  return <ReportsPage {...loaderData} />
}
