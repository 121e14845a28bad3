import { readSalesDrilldown } from '#reports/reports.server.ts'
import { SalesDrilldownPage } from '#reports/sales-drilldown-page.tsx'
import { appContext } from '#services/context.ts'
import { reportsTexts } from '#reports/texts.ts'
import type { Route } from './+types/sales-drilldown'

export const meta: Route.MetaFunction = () => [{ title: reportsTexts.title }]

export const loader = ({ url, context }: Route.LoaderArgs) =>
  readSalesDrilldown(context.get(appContext), url)

export default function SalesBehind({ loaderData }: Route.ComponentProps) {
  return <SalesDrilldownPage {...loaderData} />
}
