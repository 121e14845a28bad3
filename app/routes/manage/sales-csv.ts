import { downloadSales } from '#reports/sales-csv.server.ts'
import { appContext } from '#services/context.ts'
import type { Route } from './+types/sales-csv'

export const loader = ({ url, context }: Route.LoaderArgs) =>
  downloadSales(context.get(appContext), url)
