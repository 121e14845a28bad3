import { downloadSales } from '#app/features/reports/sales-csv.server.ts'
import { appContext } from '#app/services/context.ts'
import type { Route } from './+types/sales-csv'

export const loader = ({ request, context }: Route.LoaderArgs) =>
  downloadSales(context.get(appContext), new URL(request.url))
