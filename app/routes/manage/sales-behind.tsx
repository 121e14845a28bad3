import { readSalesBehind } from '#app/features/reports/reports.server.ts'
import { SalesBehindPage } from '#app/features/reports/sales-behind-page.tsx'
import { shopContext } from '#app/platform/context.ts'
import type { Route } from './+types/sales-behind'

export const meta: Route.MetaFunction = () => [{ title: 'Reports' }]

export const loader = ({ request, context }: Route.LoaderArgs) => readSalesBehind(context.get(shopContext), new URL(request.url))

export default function SalesBehind({ loaderData }: Route.ComponentProps) {
  return <SalesBehindPage {...loaderData} />
}
