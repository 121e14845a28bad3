import { readSalesDrilldown } from '#app/features/reports/reports.server.ts'
import { SalesDrilldownPage } from '#app/features/reports/sales-drilldown-page.tsx'
import { appContext } from '#app/services/context.ts'
import { reportsTexts } from '#app/features/reports/texts.ts'
import type { Route } from './+types/sales-drilldown'

export const meta: Route.MetaFunction = () => [{ title: reportsTexts.title }]

export const loader = ({ request, context }: Route.LoaderArgs) =>
  readSalesDrilldown(context.get(appContext), new URL(request.url))

export default function SalesBehind({ loaderData }: Route.ComponentProps) {
  return <SalesDrilldownPage {...loaderData} />
}
